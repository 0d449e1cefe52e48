import { act, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { Menu, MenuItem } from "./Menu";
import { Popover } from "./Popover";

import type { ReactElement } from "react";

const floats: [string, ReactElement][] = [
  [
    "a popover",
    <Popover key="popover" label="Terms" trigger={<button type="button">Open</button>}>
      <input aria-label="Steps" />
    </Popover>,
  ],
  [
    "a menu",
    <Menu key="menu" trigger={<button type="button">Open</button>}>
      <MenuItem onSelect={() => undefined}>Rename</MenuItem>
    </Menu>,
  ],
];

/** Long enough for the focus to go back by itself. */
const aMoment = () => act(() => new Promise((resolve) => setTimeout(resolve, 0)));

describe.each(floats)("the focus after Escape has closed %s", (_, float) => {
  it("stays in the field that was clicked meanwhile", async () => {
    render(
      <>
        {float}
        <textarea aria-label="Message" />
      </>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
    screen.getByLabelText("Message").focus();
    await aMoment();
    expect(screen.getByLabelText("Message")).toHaveFocus();
  });

  it("goes back to the button that opened it", async () => {
    render(float);
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
    await aMoment();
    expect(screen.getByRole("button", { name: "Open" })).toHaveFocus();
  });
});

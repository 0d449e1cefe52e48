import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";

import { Button } from "./Button";
import { FieldDiff, LineDiff } from "./DiffView";
import { ErrorBoundary } from "./ErrorBoundary";
import { Field, Input } from "./Field";
import { ErrorNote } from "./Notes";
import { Split } from "./Split";
import { TagPicker } from "./TagPicker";
import Rendered, { hostOf } from "./text/Rendered";

describe("Button", () => {
  it("does nothing while it is blocked, and says why", async () => {
    const run = vi.fn();
    render(
      <Button onClick={run} disabledBecause="Choose a tag first.">
        Add
      </Button>,
    );
    const button = screen.getByRole("button", { name: "Add" });
    await userEvent.click(button);
    expect(run).not.toHaveBeenCalled();
    expect(button).toHaveAttribute("title", "Choose a tag first.");
    expect(button).toHaveAttribute("aria-disabled", "true");
  });

  it("says what it is doing, and cannot be pressed twice", async () => {
    const run = vi.fn();
    render(
      <Button onClick={run} busy="Saving">
        Save
      </Button>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Saving" }));
    expect(run).not.toHaveBeenCalled();
  });
});

describe("Field", () => {
  it("ties label, error and hint to its control", () => {
    render(
      <Field label="Name" error="It is taken." hint="Short is good.">
        {(control) => <Input {...control} />}
      </Field>,
    );
    expect(screen.getByLabelText("Name")).toHaveAccessibleDescription("It is taken. Short is good.");
    expect(screen.getByLabelText("Name")).toBeInvalid();
  });
});

describe("Split", () => {
  it("moves with the arrow keys, stays within its limits, and remembers", async () => {
    const pane = <Split name="test" label="Width" left="a" right="b" initial={50} min={20} max={60} />;
    const { unmount } = render(pane);
    const handle = screen.getByRole("separator", { name: "Width" });
    handle.focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(handle).toHaveAttribute("aria-valuenow", "52");
    await userEvent.keyboard("{End}{ArrowRight}");
    expect(handle).toHaveAttribute("aria-valuenow", "60");
    unmount();
    render(pane);
    expect(screen.getByRole("separator")).toHaveAttribute("aria-valuenow", "60");
    fireEvent.doubleClick(screen.getByRole("separator"));
    expect(screen.getByRole("separator")).toHaveAttribute("aria-valuenow", "50");
  });
});

describe("Markdown", () => {
  it("shows no remote images, no scripts, and says where links lead", () => {
    const { container } = render(
      <Rendered text={"**Hi** ![x](https://evil.example/a.png?q=secret) [our bank](https://evil.example/login) <img src=x onerror=alert(1)>"} />,
    );
    expect(container.querySelector("img, script, iframe")).toBeNull();
    const link = screen.getByRole("link");
    expect(link).toHaveTextContent("our bank (evil.example)");
    expect(link).toHaveAttribute("rel", expect.stringContaining("noopener"));
  });

  it("drops links that run code", () => {
    render(<Rendered text={"[x](javascript:alert(1)) [y](data:text/html,hi)"} />);
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("knows a host when it sees one", () => {
    expect(hostOf("https://a.example/x")).toBe("a.example");
    expect(hostOf("/docs")).toBe(location.host);
    expect(hostOf("http://[")).toBeNull();
  });
});

describe("diffs", () => {
  it("tell apart by words, not by colour alone", () => {
    render(<LineDiff label="Changes" before={"a\nb"} after={"a\nc"} />);
    expect(screen.getByRole("region", { name: "Changes" })).toHaveTextContent("-removed: b");
    expect(screen.getByRole("region", { name: "Changes" })).toHaveTextContent("+added: c");
  });

  it("of fields show what was and what is", () => {
    render(<FieldDiff label="Changes" before={{ total: 1 }} after={{ total: 2 }} />);
    expect(screen.getByRole("listitem")).toHaveTextContent("changed: total12");
  });
});

describe("ErrorNote and ErrorBoundary", () => {
  it("keep the error until it is dealt with", async () => {
    const retry = vi.fn();
    render(<ErrorNote error={new Error("No room left.")} what="The tag was not made." onRetry={retry} />);
    expect(screen.getByRole("alert")).toHaveTextContent("The tag was not made. No room left.");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it("offer a way out of a broken part", async () => {
    const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
    let isBroken = true;
    const Part = () => {
      if (isBroken) throw new Error("It broke.");
      return <p>whole again</p>;
    };
    render(
      <ErrorBoundary what="This part">
        <Part />
      </ErrorBoundary>,
    );
    expect(screen.getByRole("alert")).toHaveTextContent("This part cannot be shown. It broke.");
    isBroken = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(screen.getByText("whole again")).toBeInTheDocument();
    quiet.mockRestore();
  });
});

describe("TagPicker", () => {
  const TAGS = [
    { id: "1", name: "invoices", color: "#000" },
    { id: "2", name: "contracts", color: "#000" },
  ];

  it("narrows while one types, and makes a new tag with Enter", async () => {
    const created = vi.fn((name: string) => Promise.resolve(`id of ${name}`));
    const chosen = vi.fn();
    const Picker = () => {
      const [selected, setSelected] = useState<string[]>([]);
      const change = (ids: string[]): void => {
        chosen(ids);
        setSelected(ids);
      };
      return <TagPicker tags={TAGS} selected={selected} onChange={change} onCreate={created} />;
    };
    render(<Picker />);
    await userEvent.type(screen.getByRole("textbox"), "inv{Enter}");
    expect(chosen).toHaveBeenLastCalledWith(["1"]);
    expect(screen.queryByLabelText("contracts")).toBeNull();
    await userEvent.clear(screen.getByRole("textbox"));
    await userEvent.type(screen.getByRole("textbox"), "new one{Enter}");
    expect(created).toHaveBeenCalledWith("new one");
    await vi.waitFor(() => expect(chosen).toHaveBeenLastCalledWith(["1", "id of new one"]));
  });
});

import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { MessageList } from "./MessageList";

const HEIGHT = 1000;
const SHOWN = 200;

function show() {
  const list = (sent: number) => (
    <MessageList conversation="a" sent={sent}>
      <p>text</p>
    </MessageList>
  );
  const { rerender } = render(list(0));
  const log = screen.getByRole("log");
  Object.defineProperty(log, "scrollHeight", { value: HEIGHT });
  Object.defineProperty(log, "clientHeight", { value: SHOWN });
  const scrollTo = (top: number): void => {
    log.scrollTop = top;
    fireEvent.scroll(log);
  };
  scrollTo(HEIGHT - SHOWN);
  return { log, scrollTo, send: () => rerender(list(1)) };
}

const away = () => screen.queryByRole("button", { name: "To the newest" });

describe("the list of messages", () => {
  it("goes on following when the page moved by itself", () => {
    const { scrollTo } = show();
    scrollTo(40);
    expect(away()).toBeNull();
  });

  it("stays where the user scrolls by wheel, however little, and follows again at the end", () => {
    const { log, scrollTo } = show();
    fireEvent.wheel(log, { deltaY: -10 });
    expect(away()).toBeVisible();
    scrollTo(HEIGHT - SHOWN - 50);
    expect(away()).toBeVisible();
    fireEvent.wheel(log, { deltaY: 100 });
    scrollTo(HEIGHT - SHOWN);
    expect(away()).toBeNull();
  });

  it.each([
    ["touch", (log: HTMLElement) => fireEvent.touchMove(log)],
    ["key", (log: HTMLElement) => fireEvent.keyDown(log, { key: "PageUp" })],
    ["scroll bar", (log: HTMLElement) => fireEvent.pointerDown(log)],
  ])("stays where the user scrolls by %s", (_, begin) => {
    const { log, scrollTo } = show();
    begin(log);
    scrollTo(300);
    expect(away()).toBeVisible();
  });

  it("goes to the newest by its button, and when the user says something", () => {
    const { log, scrollTo, send } = show();
    fireEvent.wheel(log, { deltaY: -10 });
    scrollTo(300);
    const button = away();
    if (button) fireEvent.click(button);
    expect(log.scrollTop).toBe(HEIGHT);
    expect(away()).toBeNull();
    fireEvent.wheel(log, { deltaY: -10 });
    send();
    expect(away()).toBeNull();
  });
});

import { render } from "@testing-library/react";
import { expect, it } from "vitest";

import { Passage } from "./Passage";
import Rendered from "./text/Rendered";

it("marks the words, also behind characters that are two for a string", () => {
  const { container } = render(<Passage of={{ passage: "🎉 plum and plum.", hits: [{ start: 2, end: 6 }, { start: 11, end: 15 }] }} />);
  expect(container).toHaveTextContent("🎉 plum and plum.");
  expect([...container.querySelectorAll("mark")].map((one) => one.textContent)).toEqual(["plum", "plum"]);
});

it("leads to the part of a text that holds the line, or the one above where the line shows nothing", () => {
  const lit = (text: string, line: number) => {
    const { container, unmount } = render(<Rendered top={3} text={text} found={{ line }} />);
    const found = [...container.querySelectorAll(".found")].map((one) => one.textContent);
    unmount();
    return found;
  };
  expect(lit("# One\r\n\r\nTwo\r\nlines\r\n\r\nThree", 4)).toEqual(["Two\r\nlines"]);
  expect(lit("One\n\n<b>\n\nTwo", 3)).toEqual(["One"]);
  expect(lit("\n\nOne", 1)).toEqual(["One"]);
  const long = "Words that go on.\n\n".repeat(600);
  expect(lit(`${long}Here.\n\n${long}`, 1201)).toEqual(["Here."]);
});

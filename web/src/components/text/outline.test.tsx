import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import Rendered from "./Rendered";

describe("a document of its own", () => {
  it("keeps its outline below the headings of the page, without a gap", () => {
    render(<Rendered top={3} text={"# Plan\n\n### Costs\n\n#### Van\n\n# Rest"} />);
    expect(screen.getAllByRole("heading").map((heading) => heading.tagName)).toEqual(["H3", "H4", "H5", "H3"]);
    expect(screen.getByRole("heading", { name: "Costs" })).toHaveClass("heading-3");
  });

  it("shows which tasks are done", () => {
    render(<Rendered top={3} text={"- [x] Sign\n- [ ] Order"} />);
    const [first, second] = screen.getAllByRole("listitem");
    expect(first).toContainElement(screen.getByRole("img", { name: "done" }));
    expect(second).toContainElement(screen.getByRole("img", { name: "to do" }));
  });

  it("marks the parts in which a change waits, and nothing else", () => {
    render(<Rendered top={3} text={"One\n\nTwo\nlines\n\nThree"} suggested={[{ from: 4, to: 4 }]} />);
    expect(screen.getByText(/Two/)).toHaveClass("suggested");
    expect(screen.getByText("One")).not.toHaveClass("suggested");
    expect(screen.getByText("Three")).not.toHaveClass("suggested");
  });

  it("holds what is put between its parts, in order, also at the top", () => {
    const inserts = [0, 1, 3, 3, 99].map((line, number) => ({ line, content: `[${number}]` }));
    const { container } = render(<Rendered top={3} text={"One\n\nTwo\nlines\n\nThree"} inserts={inserts} />);
    const shown = (): string => container.textContent.replace(/\s+/g, " ");
    expect(shown()).toBe("[0]One[1] Two lines[2][3] Three[4]");
  });

  it("runs no markup and shows no remote image", () => {
    const { container } = render(<Rendered top={3} text={'<img src=x onerror=alert(1)> <script>x</script> ![a](https://a.example/i.png) [b](javascript:x)'} />);
    expect(container.querySelector("img, script, [href^=javascript]")).toBeNull();
    expect(container).toHaveTextContent("[image not shown: a]");
  });
});

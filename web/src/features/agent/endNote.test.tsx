import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { EndNote } from "./Blocks";

describe("the note at the end of a turn", () => {
  it("says what the answer lacks", () => {
    render(<EndNote block={{ id: "e1", step: 1, type: "end", end: "completed", note: "The answer was cut off." }} />);
    expect(screen.getByRole("status")).toHaveTextContent("The answer was cut off.");
  });

  it("names the limit of model calls", () => {
    render(<EndNote block={{ id: "e1", step: 1, type: "end", end: "limit_reached", limit: "calls_per_step" }} />);
    expect(screen.getByText(/limit of model calls of one step/)).toBeVisible();
  });
});

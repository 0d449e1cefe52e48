import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { EndNote } from "./Blocks";

describe("the note at the end of a turn", () => {
  it("says what the answer lacks", () => {
    render(<EndNote block={{ id: "e1", step: 1, type: "end", end: "completed", note: "The answer was cut off." }} />);
    expect(screen.getByRole("status")).toHaveTextContent("The answer was cut off.");
  });

  it("offers to try again after a failure, and nothing where one only looks back", async () => {
    const block = { id: "e1", step: 1, type: "end", end: "failed", error: "The server was stopped.", code: "internal" } as const;
    const retry = vi.fn();
    const { rerender } = render(<EndNote block={block} onRetry={retry} />);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(retry).toHaveBeenCalled();
    expect(screen.getByRole("alert")).toHaveTextContent("What was done before is kept.");
    rerender(<EndNote block={block} />);
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("names the limit of model calls", () => {
    render(<EndNote block={{ id: "e1", step: 1, type: "end", end: "limit_reached", limit: "calls_per_step" }} />);
    expect(screen.getByText(/limit of model calls of one step/)).toBeVisible();
  });
});

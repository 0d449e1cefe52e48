import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { TooltipProvider } from "@/components/Tooltip";

import { DeletedList } from "./DeletedList";

import type { ComponentProps } from "react";

const DAY_MS = 86_400_000;
const PLAN = {
  id: "1",
  name: "Plan",
  deleted_at: new Date().toISOString(),
  removed_at: new Date(Date.now() + 6.5 * DAY_MS).toISOString(),
};

function show(things: (typeof PLAN)[]) {
  const mutate = vi.fn();
  const list = { data: things, error: null, refetch: vi.fn() } as unknown as ComponentProps<typeof DeletedList>["list"];
  const bringBack = { mutate, isPending: false } as unknown as ComponentProps<typeof DeletedList>["bringBack"];
  render(
    <TooltipProvider>
      <DeletedList what="documents" list={list} bringBack={bringBack} onClose={vi.fn()} />
    </TooltipProvider>,
  );
  return mutate;
}

describe("what was deleted", () => {
  it("is listed with the days that are left, and brought back", async () => {
    const mutate = show([PLAN]);
    expect(screen.getByRole("listitem")).toHaveTextContent("deleted just now, 6 days left");
    await userEvent.click(screen.getByRole("button", { name: "Bring back Plan" }));
    expect(mutate).toHaveBeenCalledWith(PLAN);
  });

  it("may be nothing", () => {
    show([]);
    expect(screen.getByRole("region", { name: "Deleted documents" })).toHaveTextContent("Nothing here.");
    expect(screen.queryByRole("listitem")).toBeNull();
  });
});

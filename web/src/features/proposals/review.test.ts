import { describe, expect, it } from "vitest";

import type { ProposalGroup } from "@/lib/api/proposals";

import { BEGINNING, currentOf, includedIn, looking, moved, orderOf, together, toggled } from "./review";

const summary = { fields: 3, values: 3, proven: 2, to_check: 1 };

function group(proposalId: string, ...ids: string[]): ProposalGroup {
  const documents = ids.map((id) => ({ document_id: id, document_name: `${id}.pdf`, done_at: null, summary }));
  return { proposal_id: proposalId, is_new: true, reason: null, documents_waiting: ids.length, schema: null, prompt: null, documents };
}

describe("going through the proposals", () => {
  const groups = [group("one", "a", "b", "c"), group("two", "d")];
  const order = orderOf(groups);

  it("begins at the first, goes over the border of a group and stops at the ends", () => {
    expect(currentOf(BEGINNING, order)).toBe("a");
    const third = moved(moved(BEGINNING, order, 1), order, 1);
    expect(currentOf(third, order)).toBe("c");
    expect(currentOf(moved(third, order, 1), order)).toBe("d");
    expect(currentOf(moved(looking(third, order, "d"), order, 1), order)).toBe("d");
    expect(currentOf(moved(BEGINNING, order, -1), order)).toBe("a");
  });

  it("stays in its place when the document is decided", () => {
    const second = looking(BEGINNING, order, "b");
    expect(currentOf(second, ["a", "c", "d"])).toBe("c");
    expect(currentOf(looking(second, order, "d"), ["a", "c"])).toBe("c");
    expect(currentOf(second, [])).toBeNull();
    expect(moved(second, [], 1)).toBe(second);
  });

  it("takes single documents out of a group and back", () => {
    const without = toggled(BEGINNING, "b");
    expect(includedIn(group("one", "a", "b", "c"), without.takenOut)).toEqual(["a", "c"]);
    expect(includedIn(group("one", "a", "b", "c"), toggled(without, "b").takenOut)).toEqual(["a", "b", "c"]);
    expect(together(toggled(without, "d"), groups[0] ?? group("one")).takenOut).toEqual(new Set(["d"]));
    expect(BEGINNING.takenOut.size).toBe(0);
  });
});

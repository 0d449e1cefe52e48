import { expect, test } from "vitest";

import { placeOf } from "./search";

import type { Found } from "./search";

const nothing = { id: "x", name: "n", name_hits: [], passage: "", hits: [], page: null, prompt_id: null, field: null, line: null };
const found = (some: Partial<Found>): Found => ({ ...nothing, kind: "document", project_id: null, project_name: null, ...some });

test("what was found leads to the place where it stands", () => {
  expect(placeOf(found({ page: 3 }))).toEqual({ path: "documents/x", search: { page: 3 } });
  expect(placeOf(found({ prompt_id: "p", field: "lines.0.price" })).search).toEqual({ prompt: "p", field: "lines.0.price" });
  expect(placeOf(found({}))).toEqual({ path: "documents/x", search: {} });
  expect(placeOf(found({ kind: "schema" })).path).toBe("schemas/x");
  expect(placeOf(found({ kind: "tag" }))).toEqual({ path: "documents", search: { tags: "x" } });
  expect(placeOf(found({ kind: "living_document", project_id: "y", line: 7 }))).toEqual({
    path: "projects/y",
    search: { document: "x", line: 7, tab: "text" },
  });
});

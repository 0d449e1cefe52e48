import { describe, expect, it } from "vitest";

import { typed } from "@/lib/schema/draft";
import { getAt } from "@/lib/schema/json";

import { EDITABLE, formatDiffers, namedForProviders } from "./values";

import type { SchemaValues } from "./values";

const NEW = EDITABLE.valuesOf(null);
const wireNameOf = ({ draft }: SchemaValues): unknown => getAt(JSON.parse(draft.text), ["json_schema", "name"]);

describe("a schema while it is edited", () => {
  it("has changes when its name, its format or the text of it is another one", () => {
    expect(EDITABLE.isSame(NEW, EDITABLE.valuesOf(null))).toBe(true);
    expect(EDITABLE.isSame({ ...NEW, name: "Invoice" }, NEW)).toBe(false);
    const unreadable = { ...NEW, draft: typed(NEW.draft, "{") };
    expect(formatDiffers(unreadable, NEW)).toBe(true);
    expect(EDITABLE.isSame(unreadable, NEW)).toBe(false);
  });

  it("comes back after a reload as it was typed, readable or not", () => {
    const left = { name: "Invoice", draft: typed(NEW.draft, "{ \"json_schema\"") };
    const back = EDITABLE.recall(EDITABLE.keep(left), NEW);
    expect([back.name, back.draft.text, back.draft.problem]).toEqual(["Invoice", left.draft.text, left.draft.problem]);
  });

  it("keeps what can be undone when it starts over", () => {
    const edited = namedForProviders(NEW, "Invoice");
    const former = { ...edited, draft: { ...edited.draft, past: ["{}"] } };
    expect(EDITABLE.restart?.(NEW, former)).toEqual({ ...NEW, draft: { ...NEW.draft, past: ["{}"] } });
  });

  it("has one name for people and providers until somebody gives it another one there", () => {
    const named = namedForProviders(namedForProviders(NEW, "In"), "Invoice 2");
    expect([named.name, wireNameOf(named)]).toEqual(["Invoice 2", "invoice_2"]);
    const other = { ...named, draft: typed(named.draft, named.draft.text.replace("invoice_2", "bill")) };
    expect(wireNameOf(namedForProviders(other, "Receipt"))).toBe("bill");
  });
});

import { describe, expect, it } from "vitest";

import { viewOf } from "./looking";

import type { Call } from "./fold";

function result(content: object, isError = false): Call["result"] {
  return { content: JSON.stringify(content), isError, ran: true, milliseconds: 1 } as Call["result"];
}

describe("what the model was shown", () => {
  it("is the page that the result names, or a part of it", () => {
    const shown = { document_id: "d", page: 2, region: [0, 0, 500, 1000] };
    expect(viewOf({ name: "look_at_page", result: result(shown) })).toEqual({ documentId: "d", page: 2, region: [0, 0, 500, 1000] });
    expect(viewOf({ name: "look_at_page", result: result({ ...shown, region: null }) })?.region).toBeNull();
  });

  it("is nothing for other calls, failed ones and those that still run", () => {
    const shown = { document_id: "d", page: 2, region: null };
    expect(viewOf({ name: "get_ocr_text", result: result(shown) })).toBeNull();
    expect(viewOf({ name: "look_at_page", result: result(shown, true) })).toBeNull();
    expect(viewOf({ name: "look_at_page", result: null })).toBeNull();
    expect(viewOf({ name: "look_at_page", result: result({ page: "2" }) })).toBeNull();
  });
});

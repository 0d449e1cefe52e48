import { describe, expect, it } from "vitest";

import { EventReader } from "./sse";

describe("EventReader", () => {
  it("reads messages that come in pieces cut anywhere", () => {
    const stream = ": still here\n\nid: 4\ndata: {\"a\":1}\n\ndata: {\"b\":\ndata: 2}\n\n";
    for (const size of [1, 2, 7, 1000]) {
      const reader = new EventReader();
      const pieces = stream.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      expect(pieces.flatMap((piece) => reader.take(piece))).toEqual([
        { id: null, data: null },
        { id: "4", data: "{\"a\":1}" },
        { id: null, data: "{\"b\":\n2}" },
      ]);
    }
  });

  it("keeps what is not complete for later", () => {
    const reader = new EventReader();
    expect(reader.take("data: {\"a\"")).toEqual([]);
    expect(reader.take(":1}\n\n")).toEqual([{ id: null, data: "{\"a\":1}" }]);
  });
});

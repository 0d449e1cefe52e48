import { describe, expect, it } from "vitest";

import type { Call } from "@/lib/agent/fold";

import { changedDocument } from "./changed";

const RESULT = { content: '{"document_id": "d1", "name": "Plan", "version": 2}', isError: false, ran: true };

function call(name: string, result: object | null = RESULT, undone = false): Call {
  return { name, result, undone: undone ? { summary: "", userId: "", at: "" } : null } as Call;
}

describe("the document that a call changed", () => {
  it("is told by the result", () => {
    expect(changedDocument(call("edit_project_document"))).toEqual({ id: "d1", name: "Plan" });
    expect(changedDocument(call("restore_project_version"))).toEqual({ id: "d1", name: "Plan" });
  });

  it("is none when nothing was changed", () => {
    expect(changedDocument(call("read_project_document"))).toBeNull();
    expect(changedDocument(call("delete_project_document"))).toBeNull();
    expect(changedDocument(call("edit_project_document", null))).toBeNull();
    expect(changedDocument(call("edit_project_document", { ...RESULT, isError: true }))).toBeNull();
    expect(changedDocument(call("create_tag"))).toBeNull();
  });

  it("is gone when its making was taken back, and is still there when a change was", () => {
    expect(changedDocument(call("create_project_document", RESULT, true))).toBeNull();
    expect(changedDocument(call("edit_project_document", RESULT, true))).not.toBeNull();
  });
});

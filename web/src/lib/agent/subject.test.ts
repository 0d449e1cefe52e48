import { describe, expect, it } from "vitest";

import { chatAddress, chatPlaces, subjectOf } from "./subject";

describe("what a conversation is about", () => {
  it("is a project or a document", () => {
    expect(subjectOf({ document_id: "d", project_id: null })).toEqual({ kind: "document", id: "d" });
    expect(subjectOf({ document_id: null, project_id: "p" })).toEqual({ kind: "project", id: "p" });
    expect(subjectOf({ document_id: null, project_id: null })).toBeNull();
  });

  it("has an address with places for its own id only", () => {
    const project = { kind: "project", id: "p" } as const;
    expect(chatAddress(project, "/threads")).toBe("/v0/orgs/{organization_id}/projects/{project_id}/chat/threads");
    expect(chatPlaces("o", project)).toEqual({ organization_id: "o", project_id: "p" });
    expect(chatAddress({ kind: "document", id: "d" })).toBe("/v0/orgs/{organization_id}/documents/{document_id}/chat");
  });
});

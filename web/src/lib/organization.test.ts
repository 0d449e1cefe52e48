import { describe, expect, it } from "vitest";

import { firstOrganization, nameFor } from "./organization";

import type { Organization } from "./organization";

const ME = "me";
const member = (user_id: string, role: "admin" | "user" = "user") => ({ user_id, role });

/** Organisations as the server lists them: newest first. */
function listed(...parts: Pick<Organization, "id" | "members">[]): Organization[] {
  const all = parts.map((part, age) => ({ ...part, created_at: `2026-03-${String(10 + age)}T10:00:00Z` }));
  return all.reverse() as Organization[];
}

const OWN = { id: "own", members: [member(ME, "admin")] };
const BROUGHT = { id: "brought", members: [member("ada", "admin"), member(ME)] };
const RULED = { id: "ruled", members: [member("ada"), member(ME, "admin")] };

describe("where the user begins", () => {
  it("is the organisation that was used last", () => {
    expect(firstOrganization(listed(OWN, BROUGHT), ME, "brought")?.id).toBe("brought");
  });

  it("is the user's own, however new another one is", () => {
    expect(firstOrganization(listed(OWN, RULED, BROUGHT), ME, null)?.id).toBe("own");
    expect(firstOrganization(listed(BROUGHT, OWN), ME, "of somebody else at this browser")?.id).toBe("own");
  });

  it("is one that the user administers, if all have other members", () => {
    expect(firstOrganization(listed(BROUGHT, RULED), ME, null)?.id).toBe("ruled");
  });

  it("is the oldest otherwise, and nowhere without any", () => {
    const other = { ...BROUGHT, id: "other" };
    expect(firstOrganization(listed(BROUGHT, other), ME, null)?.id).toBe("brought");
    expect(firstOrganization([], ME, null)).toBeUndefined();
  });
});

describe("the name of an organisation", () => {
  it("is not the user's own e-mail address", () => {
    expect(nameFor("ada@example.com", "ada@example.com")).toBe("My organisation");
    expect(nameFor("grace@example.com", "ada@example.com")).toBe("grace@example.com");
    expect(nameFor("Lindqvist", "ada@example.com")).toBe("Lindqvist");
  });
});

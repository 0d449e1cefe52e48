/** What a conversation is about. */
export interface Subject {
  kind: "document" | "project";
  id: string;
}

/** The id of a subject is unique, whatever its kind. */
export function subjectOf(about: { document_id: string | null; project_id: string | null }): Subject | null {
  if (about.project_id !== null) return { kind: "project", id: about.project_id };
  return about.document_id === null ? null : { kind: "document", id: about.document_id };
}

const DOCUMENT = "/v0/orgs/{organization_id}/documents/{document_id}/chat";
const PROJECT = "/v0/orgs/{organization_id}/projects/{project_id}/chat";

/** The address of a conversation. Both kinds answer in the same shapes, so it has the type of a document's. */
export function chatAddress<Rest extends string = "">(subject: Subject, rest?: Rest): `${typeof DOCUMENT}${Rest}` {
  const root = subject.kind === "project" ? PROJECT : DOCUMENT;
  return `${root}${rest ?? ""}` as `${typeof DOCUMENT}${Rest}`;
}

/** What fills the places of that address. */
export function chatPlaces(organizationId: string, { kind, id }: Subject): { organization_id: string; document_id: string } {
  const places = { organization_id: organizationId, [`${kind}_id`]: id };
  return places as typeof places & { document_id: string };
}

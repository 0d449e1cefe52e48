import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { EditorHeader } from "@/components/editor/EditorHeader";
import { EditorPanes } from "@/components/editor/EditorPanes";
import { UnsavedNote } from "@/components/editor/UnsavedNote";
import type { Schema } from "@/lib/api/schemas";
import { useCommands } from "@/lib/commands";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";
import { useTitle } from "@/lib/title";
import { toast } from "@/lib/toasts";

import { DeleteSchema } from "./DeleteSchema";
import { FieldsPane } from "./FieldsPane";
import { JsonPane } from "./JsonPane";
import { SavePanel } from "./SavePanel";
import { TryPane } from "./TryPane";
import { VersionsPane } from "./VersionsPane";
import { hindrance } from "./model/draft";
import { useEditing } from "./useEditing";
import { useCheck } from "./useSchemas";

interface SchemaEditorProps {
  schemaId: string | null;
  /** Newest first. */
  versions: Schema[];
}

/** Fields on the left; the JSON, the versions and a trial on the right. */
export function SchemaEditor({ schemaId, versions }: SchemaEditorProps) {
  const newest = versions[0] ?? null;
  const editing = useEditing(schemaId, newest);
  const { draft, setDraft, name, isDirty } = editing;
  const check = useCheck(draft.format).data;
  const [asking, setAsking] = useState<"save" | "delete" | null>(null);
  const [shown, setShown] = useState("fields");
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  useTitle(newest?.name ?? "New schema");

  const reason =
    hindrance(draft) ?? (name.trim() === "" ? "Give the schema a name first." : null) ?? (isDirty ? null : "Nothing has changed.");
  const begin = (): void => {
    if (reason === null) setAsking("save");
  };
  useShortcut({ keys: "Mod+S", does: "Save a version", group: "Schema" }, begin);
  useCommands([
    { id: "schema.save", label: "Save the schema", keys: "Mod+S", run: begin },
    ...(newest
      ? [
          { id: "schema.versions", label: "Compare versions of the schema", run: () => setShown("versions") },
          { id: "schema.try", label: "Try the schema on a document", run: () => setShown("try") },
          { id: "schema.delete", label: "Delete the schema", run: () => setAsking("delete") },
        ]
      : []),
  ]);
  const saved = (schema: Schema): void => {
    setAsking(null);
    editing.saved(schema);
    toast(`Saved ${schema.name}, version ${schema.schema_version}.`);
    if (schemaId === null) void navigate({ to: orgPath(`schemas/${schema.schema_id}`), replace: true });
  };

  const fields = <FieldsPane draft={draft} onDraft={setDraft} check={check} />;
  const tabs = [
    { value: "json", label: "JSON", note: draft.problem !== null && <Badge tone="bad">not readable</Badge>, content: <JsonPane draft={draft} onDraft={setDraft} check={check} name={name} /> },
    ...(newest
      ? [
          { value: "versions", label: "Versions", note: <Badge>{versions.length}</Badge>, content: <VersionsPane versions={versions} /> },
          { value: "try", label: "Try it on a document", content: <TryPane schema={newest} isDirty={isDirty} /> },
        ]
      : []),
  ];
  return (
    <>
      <EditorHeader
        noun="schema"
        back={
          <Link to={orgPath("schemas")} className="hover:underline">
            Schemas
          </Link>
        }
        stored={newest && { name: newest.name, version: newest.schema_version }}
        name={name}
        placeholder="Name, such as Invoice"
        onName={editing.rename}
        reason={reason}
        isDirty={isDirty}
        onSave={begin}
        onDiscard={editing.discard}
        onDelete={() => setAsking("delete")}
      />
      <UnsavedNote
        newer={editing.isBehind && newest ? newest.schema_version : null}
        base={editing.base.version}
        restoredAt={editing.restoredAt}
        onDiscard={editing.discard}
      />
      {asking === "save" && (
        <SavePanel schemaId={schemaId} editing={editing} check={check} onSaved={saved} onClose={() => setAsking(null)} />
      )}
      {asking === "delete" && newest && <DeleteSchema schema={newest} onClose={() => setAsking(null)} />}
      <EditorPanes noun="schema" main={{ value: "fields", label: "Fields", content: fields }} tabs={tabs} shown={shown} onShow={setShown} />
    </>
  );
}

import { Link, useNavigate } from "@tanstack/react-router";
import { MoreHorizontal, Save, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button, IconButton } from "@/components/Button";
import { Input } from "@/components/Field";
import { Menu, MenuItem } from "@/components/Menu";
import { Split } from "@/components/Split";
import { Tabs } from "@/components/Tabs";
import type { Schema } from "@/lib/api/schemas";
import { useCommands } from "@/lib/commands";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";
import { useTitle } from "@/lib/title";
import { toast } from "@/lib/toasts";
import { useIsNarrow } from "@/lib/width";

import { DeleteSchema } from "./DeleteSchema";
import { FieldsPane } from "./FieldsPane";
import { JsonPane } from "./JsonPane";
import { SavePanel } from "./SavePanel";
import { TryPane } from "./TryPane";
import { Unsaved } from "./Unsaved";
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
  const isNarrow = useIsNarrow();
  const [tab, setTab] = useState("json");
  const [narrowTab, setNarrowTab] = useState("fields");
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
          { id: "schema.versions", label: "Compare versions of the schema", run: () => open("versions") },
          { id: "schema.try", label: "Try the schema on a document", run: () => open("try") },
          { id: "schema.delete", label: "Delete the schema", run: () => setAsking("delete") },
        ]
      : []),
  ]);
  const open = (value: string): void => {
    setTab(value);
    setNarrowTab(value);
  };
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
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-surface px-3 py-2 sm:px-4">
        <h1 className="flex min-w-0 flex-1 items-center gap-2 text-base font-normal">
          <Link to={orgPath("schemas")} className="text-muted hover:underline max-sm:hidden">
            Schemas
          </Link>
          <span aria-hidden className="text-muted max-sm:hidden">
            /
          </span>
          <span className="sr-only">{newest?.name ?? "New schema"}</span>
          <Input
            aria-label="Name of the schema"
            placeholder="Name, such as Invoice"
            autoFocus={schemaId === null && !name}
            value={name}
            maxLength={255}
            onChange={(event) => editing.rename(event.target.value)}
            className="max-w-72 font-medium"
          />
          {newest && <Badge>version {newest.schema_version}</Badge>}
        </h1>
        {isDirty && newest && (
          <Button variant="quiet" icon={Undo2} onClick={editing.discard} className="max-sm:hidden">
            Discard changes
          </Button>
        )}
        <Button variant="primary" icon={Save} disabledBecause={reason} onClick={begin}>
          {newest ? "Save version" : "Create schema"}
        </Button>
        {newest && (
          <Menu align="end" trigger={<IconButton icon={MoreHorizontal} label="More actions" />}>
            <MenuItem icon={Undo2} disabledBecause={!isDirty && "Nothing has changed."} onSelect={editing.discard}>
              Discard changes
            </MenuItem>
            <MenuItem icon={Trash2} danger onSelect={() => setAsking("delete")}>
              Delete schema
            </MenuItem>
          </Menu>
        )}
      </header>
      <Unsaved editing={editing} newest={newest} />
      {asking === "save" && (
        <SavePanel schemaId={schemaId} editing={editing} check={check} onSaved={saved} onClose={() => setAsking(null)} />
      )}
      {asking === "delete" && newest && <DeleteSchema schema={newest} onClose={() => setAsking(null)} />}
      {isNarrow ? (
        <Tabs
          label="Parts of the schema"
          className="flex-1"
          value={narrowTab}
          onChange={setNarrowTab}
          tabs={[{ value: "fields", label: "Fields", content: fields }, ...tabs]}
        />
      ) : (
        <Split
          name="schema"
          label="Width of the fields"
          initial={56}
          min={35}
          className="flex-1"
          left={<div className="min-h-0 flex-1 overflow-y-auto">{fields}</div>}
          right={<Tabs label="Parts of the schema" className="flex-1" value={tab} onChange={setTab} tabs={tabs} />}
        />
      )}
    </>
  );
}

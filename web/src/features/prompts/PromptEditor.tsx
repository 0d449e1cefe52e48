import { Link, useNavigate } from "@tanstack/react-router";
import { Info, MoreHorizontal, Save, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button, IconButton } from "@/components/Button";
import { Input } from "@/components/Field";
import { Menu, MenuItem } from "@/components/Menu";
import { Split } from "@/components/Split";
import { Tabs } from "@/components/Tabs";
import type { Prompt } from "@/lib/api/prompts";
import { useCommands } from "@/lib/commands";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";
import { useTitle } from "@/lib/title";
import { toast } from "@/lib/toasts";
import { useIsNarrow } from "@/lib/width";

import { DeletePrompt } from "./DeletePrompt";
import { PromptForm } from "./PromptForm";
import { PromptVersions } from "./PromptVersions";
import { RunPane } from "./RunPane";
import { SavePrompt } from "./SavePrompt";
import { usePromptEditing } from "./usePromptEditing";

/** The instruction and what belongs to it on the left; a run and the versions on the right. */
export function PromptEditor({ promptId, versions }: { promptId: string | null; versions: Prompt[] }) {
  const newest = versions[0] ?? null;
  const editing = usePromptEditing(promptId, newest);
  const { values, change, isDirty } = editing;
  const [asking, setAsking] = useState<"save" | "delete" | null>(null);
  const [tab, setTab] = useState("run");
  const [narrowTab, setNarrowTab] = useState("prompt");
  const isNarrow = useIsNarrow();
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  useTitle(newest?.name ?? "New prompt");

  const reason =
    (values.name.trim() === "" ? "Give the prompt a name first." : null) ??
    (values.content.trim() === "" ? "Write what to look for first." : null) ??
    (isDirty ? null : "Nothing has changed.");
  const begin = (): void => {
    if (reason === null) setAsking("save");
  };
  const open = (value: string): void => {
    setTab(value);
    setNarrowTab(value);
  };
  useShortcut({ keys: "Mod+S", does: "Save a version", group: "Prompt" }, begin);
  useCommands([
    { id: "prompt.save", label: "Save the prompt", keys: "Mod+S", run: begin },
    ...(newest
      ? [
          { id: "prompt.run", label: "Run the prompt on a document", run: () => open("run") },
          { id: "prompt.versions", label: "Compare versions of the prompt", run: () => open("versions") },
          { id: "prompt.delete", label: "Delete the prompt", run: () => setAsking("delete") },
        ]
      : []),
  ]);
  const saved = (prompt: Prompt): void => {
    setAsking(null);
    editing.saved(prompt);
    toast(`Saved ${prompt.name}, version ${prompt.prompt_version}.`);
    if (promptId === null) void navigate({ to: orgPath(`prompts/${prompt.prompt_id}`), replace: true });
  };

  const form = <PromptForm values={values} onChange={change} newest={newest} />;
  const tabs = newest
    ? [
        { value: "run", label: "Run on a document", content: <RunPane prompt={newest} isDirty={isDirty} /> },
        { value: "versions", label: "Versions", note: <Badge>{versions.length}</Badge>, content: <PromptVersions versions={versions} /> },
      ]
    : [];
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-surface px-3 py-2 sm:px-4">
        <h1 className="flex min-w-0 flex-1 items-center gap-2 text-base font-normal">
          <Link to={orgPath("prompts")} className="text-muted hover:underline max-sm:hidden">
            Prompts
          </Link>
          <span aria-hidden className="text-muted max-sm:hidden">
            /
          </span>
          <span className="sr-only">{newest?.name ?? "New prompt"}</span>
          <Input
            aria-label="Name of the prompt"
            placeholder="Name, such as Supplier invoices"
            autoFocus={promptId === null && !values.name}
            value={values.name}
            maxLength={255}
            onChange={(event) => change({ name: event.target.value })}
            className="max-w-72 font-medium"
          />
          {newest && <Badge>version {newest.prompt_version}</Badge>}
        </h1>
        <Button variant="primary" icon={Save} disabledBecause={reason} onClick={begin}>
          {newest ? "Save version" : "Create prompt"}
        </Button>
        {newest && (
          <Menu align="end" trigger={<IconButton icon={MoreHorizontal} label="More actions" />}>
            <MenuItem icon={Undo2} disabledBecause={!isDirty && "Nothing has changed."} onSelect={editing.discard}>
              Discard changes
            </MenuItem>
            <MenuItem icon={Trash2} danger onSelect={() => setAsking("delete")}>
              Delete prompt
            </MenuItem>
          </Menu>
        )}
      </header>
      {(editing.isBehind || editing.restoredAt) && (
        <div role="status" className="flex flex-wrap items-center gap-2 border-b bg-sunken px-4 py-1.5 text-sm">
          <Info size={15} aria-hidden className="shrink-0 text-muted" />
          <p className="min-w-0 flex-1">
            {editing.isBehind
              ? `Version ${newest?.prompt_version ?? ""} was saved meanwhile. Your changes began from version ${editing.base?.prompt_version ?? ""}.`
              : "Your unsaved changes are here again."}
          </p>
          <Button small onClick={editing.discard}>
            Drop them
          </Button>
        </div>
      )}
      {asking === "save" && <SavePrompt promptId={promptId} editing={editing} onSaved={saved} onClose={() => setAsking(null)} />}
      {asking === "delete" && newest && <DeletePrompt prompt={newest} onClose={() => setAsking(null)} />}
      {!newest ? (
        <div className="min-h-0 flex-1 overflow-y-auto">{form}</div>
      ) : isNarrow ? (
        <Tabs label="Parts of the prompt" className="flex-1" value={narrowTab} onChange={setNarrowTab} tabs={[{ value: "prompt", label: "Prompt", content: form }, ...tabs]} />
      ) : (
        <Split
          name="prompt"
          label="Width of the prompt"
          initial={56}
          min={35}
          className="flex-1"
          left={<div className="min-h-0 flex-1 overflow-y-auto">{form}</div>}
          right={<Tabs label="Parts of the prompt" className="flex-1" value={tab} onChange={setTab} tabs={tabs} />}
        />
      )}
    </>
  );
}

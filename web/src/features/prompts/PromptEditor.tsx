import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { EditorHeader } from "@/components/editor/EditorHeader";
import { EditorPanes } from "@/components/editor/EditorPanes";
import { UnsavedNote } from "@/components/editor/UnsavedNote";
import type { Prompt } from "@/lib/api/prompts";
import { useCommands } from "@/lib/commands";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";
import { useTitle } from "@/lib/title";
import { toast } from "@/lib/toasts";

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
  const [shown, setShown] = useState("prompt");
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
  useShortcut({ keys: "Mod+S", does: "Save a version", group: "Prompt" }, begin);
  useCommands([
    { id: "prompt.save", label: "Save the prompt", keys: "Mod+S", run: begin },
    ...(newest
      ? [
          { id: "prompt.run", label: "Run the prompt on a document", run: () => setShown("run") },
          { id: "prompt.versions", label: "Compare versions of the prompt", run: () => setShown("versions") },
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
      <EditorHeader
        noun="prompt"
        back={
          <Link to={orgPath("prompts")} className="hover:underline">
            Prompts
          </Link>
        }
        stored={newest && { name: newest.name, version: newest.prompt_version }}
        name={values.name}
        placeholder="Name, such as Supplier invoices"
        onName={(name) => change({ name })}
        reason={reason}
        isDirty={isDirty}
        onSave={begin}
        onDiscard={editing.discard}
        onDelete={() => setAsking("delete")}
      />
      <UnsavedNote
        newer={editing.isBehind && newest ? newest.prompt_version : null}
        base={editing.base?.prompt_version ?? 0}
        restoredAt={editing.restoredAt}
        onDiscard={editing.discard}
      />
      {asking === "save" && <SavePrompt promptId={promptId} editing={editing} onSaved={saved} onClose={() => setAsking(null)} />}
      {asking === "delete" && newest && <DeletePrompt prompt={newest} onClose={() => setAsking(null)} />}
      <EditorPanes noun="prompt" main={{ value: "prompt", label: "Prompt", content: form }} tabs={tabs} shown={shown} onShow={setShown} />
    </>
  );
}

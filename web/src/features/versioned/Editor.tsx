import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import type { Kind, Versioned } from "@/lib/api/versioned";
import { useCommands } from "@/lib/commands";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";
import { useTitle } from "@/lib/title";
import { toast } from "@/lib/toasts";

import { BeforeDeleting } from "./BeforeDeleting";
import { BeforeSaving } from "./BeforeSaving";
import { EditorHeader } from "./EditorHeader";
import { EditorPanes } from "./EditorPanes";
import { UnsavedNote } from "./UnsavedNote";

import type { Refusal } from "./BeforeDeleting";
import type { ToSave } from "./BeforeSaving";
import type { Tab } from "./EditorPanes";
import type { EditorProps } from "./OnePage";
import type { Editing } from "./useEditing";

export interface EditorTab extends Tab {
  /** What the palette calls it; without it, the palette does not offer it. */
  command?: string;
}

interface FrameProps<T extends Versioned, Body, Values> extends EditorProps<T> {
  kind: Kind<T, Body>;
  editing: Editing<T, Values>;
  /** An example of a name. */
  example: string;
  onName: (name: string) => void;
  /** Why it cannot be saved as it is; null when it can. */
  hindrance: string | null;
  toSave: ToSave<T, Body>;
  explainRefusal?: (error: Error) => Refusal | null;
  /** What is edited. */
  main: Tab;
  /** What belongs to it. */
  tabs: EditorTab[];
}

/** What is edited on the left, what belongs to it on the right; above them its name, and what can be done with it. */
export function Editor<T extends Versioned, Body, Values extends { name: string }>({
  kind, id, versions, editing, example, onName, hindrance, toSave, explainRefusal, main, tabs,
}: FrameProps<T, Body, Values>) {
  const { noun } = kind;
  const newest = versions[0] ?? null;
  const { isDirty, newer, base } = editing;
  const versionOf = (thing: T): number => kind.revisionOf(thing).version;
  const [asking, setAsking] = useState<"save" | "delete" | null>(null);
  const [shown, setShown] = useState(main.value);
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  useTitle(newest?.name ?? t("versioned.newNoun", { noun }));

  const reason = hindrance ?? (isDirty ? null : t("common.nothingHasChanged"));
  const begin = (): void => {
    if (reason === null) setAsking("save");
  };
  useShortcut({ keys: "Mod+S", does: t("versioned.saveAVersion"), group: words(noun) }, begin);
  useCommands([
    { id: `${noun}.save`, label: t("versioned.saveTheNoun", { noun }), keys: "Mod+S", run: begin },
    ...tabs.flatMap(({ command, value }) => (command ? [{ id: `${noun}.${value}`, label: command, run: () => setShown(value) }] : [])),
    ...(newest ? [{ id: `${noun}.delete`, label: t("versioned.deleteTheNoun", { noun }), run: () => setAsking("delete") }] : []),
  ]);
  const saved = (thing: T): void => {
    setAsking(null);
    editing.saved(thing);
    toast(t("versioned.savedNameVersionVersionOf", { name: thing.name, versionOf: versionOf(thing) }));
    if (id === null) void navigate({ to: orgPath(`${noun}s/${kind.revisionOf(thing).id}`), replace: true });
  };
  const close = (): void => setAsking(null);

  return (
    <>
      <EditorHeader
        noun={noun}
        back={
          <Link to={orgPath(`${noun}s`)} className="hover:underline">
            {t("versioned.nouns", { noun })}
          </Link>
        }
        stored={newest && { name: newest.name, version: versionOf(newest) }}
        name={editing.values.name}
        placeholder={t("versioned.nameSuchAsExample", { example })}
        onName={onName}
        reason={reason}
        isDirty={isDirty}
        onSave={begin}
        onDiscard={editing.discard}
        onDelete={() => setAsking("delete")}
      />
      <UnsavedNote
        newer={newer && versionOf(newer)}
        base={base ? versionOf(base) : 0}
        restoredAt={editing.restoredAt}
        onDiscard={editing.discard}
      />
      {asking === "save" && <BeforeSaving kind={kind} id={id} toSave={toSave} onSaved={saved} onClose={close} />}
      {asking === "delete" && newest && <BeforeDeleting kind={kind} thing={newest} explain={explainRefusal} onClose={close} />}
      <EditorPanes noun={noun} main={main} tabs={tabs} shown={shown} onShow={setShown} />
    </>
  );
}

import { useEffect, useMemo, useRef, useState } from "react";

import { Button } from "@/components/Button";
import { Input } from "@/components/Field";
import { LiveText } from "@/components/LiveText";
import type { Facts, Insertable } from "@/components/LiveText";
import type { OwnLinks } from "@/components/Markdown";
import { ErrorNote } from "@/components/Notes";
import { ApiError } from "@/lib/api/errors";
import type { LivingDocument } from "@/lib/api/projects";
import { recallUnsaved } from "@/lib/drafts";
import { t } from "@/lib/i18n";
import { plainEnds } from "@/lib/lineEnds";
import { useShortcut } from "@/lib/shortcuts";
import { toast } from "@/lib/toasts";

import { Behind } from "./Behind";
import { InsertDialog } from "./InsertDialog";
import { Merged } from "./Merged";
import { begun, inStep, isBehind, isDirty, onTopOf, takenUp, typed } from "./editing";
import { mergeOf } from "./merging";
import { useCitations } from "./useCitations";
import { useKept } from "./useKept";
import { useLivingChanges } from "./useLivingChanges";

import type { Editing } from "./editing";
import type { Merge } from "./merging";

const MOST_REASON_CHARACTERS = 500;

interface TextEditorProps {
  /** The newest version; a newer one may come while the user types. */
  document: LivingDocument;
  own?: OwnLinks;
  onClose: () => void;
}

/** The text as it reads, to be changed. What is typed stays until it is saved or dropped. */
export function TextEditor({ document, own, onClose }: TextEditorProps) {
  const key = `living.${document.id}`;
  const [editing, setEditing] = useState<Editing>(() => takenUp(recallUnsaved<string>(key), document));
  const [reason, setReason] = useState("");
  const [isLeaving, setIsLeaving] = useState(false);
  const [clashing, setClashing] = useState<{ text: string; merge: Merge } | null>(null);
  const [merged, setMerged] = useState<{ version: number; mine: Editing } | null>(null);
  const [filled, setFilled] = useState(0);
  const { change } = useLivingChanges(document.project_id, document.id);
  const [inserting, setInserting] = useState<Inserting | null>(null);
  const [inserted, setInserted] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!inserted) return;
    // The dialog that was closed gives the focus back first.
    const later = setTimeout(() => {
      inserted();
      setInserted(null);
    });
    return () => clearTimeout(later);
  }, [inserted]);
  const known = useKnown(document, own, setInserting);
  const current = useRef(editing);
  useEffect(() => {
    current.current = editing;
  });
  const followed = inStep(editing, document);
  if (followed !== editing) setEditing(followed);
  const dirty = isDirty(editing);
  const behind = isBehind(editing, document);
  const finish = useKept(key, dirty ? editing.text : null, editing.base);

  /** Give the editor a text that nobody typed. Redraws the editor, because it takes another text late: a letter typed before would restore the old one. */
  const fill = (text: Editing): void => {
    setEditing(text);
    setFilled((times) => times + 1);
  };
  const save = async (from: Editing): Promise<void> => {
    if (change.isPending) return;
    try {
      const made = await change.mutateAsync({ content: from.text, base_version: from.base, reason: reason.trim() });
      finish();
      toast(t("projects.savedVersionVersion", { version: made.version }));
      onClose();
    } catch (error) {
      // The mutation holds the error, and it is shown below, unless it brings a merge. What was typed since is not in that.
      const merge = mergeOf(error);
      if (current.current.text !== from.text) return;
      if (merge?.clean && merge.content !== null) takeMerged(from, merge.version, merge.content);
      else setClashing(merge && { text: from.text, merge });
    }
  };
  const takeMerged = (mine: Editing, version: number, text: string): void => {
    fill({ base: version, before: null, text });
    setMerged({ version, mine });
    setClashing(null);
    change.reset();
  };
  const backToMine = (): void => {
    const [together, before] = [editing, merged];
    if (!before) return;
    fill(before.mine);
    setMerged(null);
    toast(t("projects.theEditorHasYourOwnText"), {
      label: t("projects.bringTheMergeBack"),
      run: () => {
        fill(together);
        setMerged(before);
      },
    });
  };
  const keepMine = (): void => {
    const mine = onTopOf(editing, document);
    setEditing(mine);
    setMerged(null);
    void save(mine);
  };
  const takeTheirs = (): void => {
    const mine = editing;
    fill(begun(document));
    setMerged(null);
    change.reset();
    toast(t("projects.theEditorHasVersionVersionNow", { version: document.version }), { label: t("projects.bringMineBack"), run: () => fill(mine) });
  };
  const leave = (): void => {
    finish();
    onClose();
  };
  const clash = clashing?.text === editing.text && clashing.merge.version === document.version ? clashing.merge : null;
  const why = dirty ? behind && clash !== null && t("projects.chooseWhatToKeepFirst") : t("common.nothingHasChanged");
  useShortcut({ keys: "Mod+S", does: t("projects.saveTheText"), group: t("common.document") }, () => {
    if (!why) void save(editing);
  });
  const isStale = change.error instanceof ApiError && change.error.status === 409;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {dirty && behind && (
        <Behind
          editing={editing}
          newest={document}
          isBusy={change.isPending}
          merge={clash}
          onTry={() => void save(editing)}
          onMerge={(text) => takeMerged(editing, document.version, text)}
          onTake={takeTheirs}
          onKeep={keepMine}
        />
      )}
      {merged && !behind && <Merged document={document} version={merged.version} text={editing.text} onBack={backToMine} />}
      {change.error && !(isStale && behind) && (
        <ErrorNote className="mx-4 my-2" what={t("projects.nothingWasSavedYourTextIs")} error={change.error} onDismiss={() => change.reset()} />
      )}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <LiveText
          key={filled}
          label={t("projects.textOfNameAsMarkdown", { name: document.name })}
          value={plainEnds(editing.text)}
          known={known}
          onChange={(shown) => setEditing((now) => typed(now, shown))}
        />
      </div>
      {inserting && (
        <InsertDialog
          what={inserting.what}
          onInsert={(markdown) => {
            setInserting(null);
            setInserted(() => () => inserting.put(markdown));
          }}
          onClose={() => setInserting(null)}
        />
      )}
      <footer className="flex shrink-0 flex-wrap items-center gap-2 border-t px-4 py-2">
        {isLeaving && dirty ? (
          <div role="group" aria-label={t("projects.dropYourChanges")} className="flex flex-1 flex-wrap items-center gap-2">
            <span>{t("projects.dropYourChanges")}</span>
            <Button small variant="danger" autoFocus onClick={leave}>
              {t("common.dropThem")}
            </Button>
            <Button small variant="quiet" onClick={() => setIsLeaving(false)}>
              {t("common.keepEditing")}
            </Button>
          </div>
        ) : (
          <>
            <Input
              aria-label={t("projects.reasonForTheHistory")}
              placeholder={t("projects.reasonForTheHistoryOptional")}
              maxLength={MOST_REASON_CHARACTERS}
              className="!h-7 min-w-40 flex-1 text-sm"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
            <span className="flex gap-1">
              <Button small variant="primary" busy={change.isPending && t("common.saving")} disabledBecause={why} onClick={() => void save(editing)}>
                {t("common.save")}
              </Button>
              <Button small variant="quiet" onClick={() => (dirty ? setIsLeaving(true) : leave())}>
                {t("common.cancel")}
              </Button>
            </span>
          </>
        )}
      </footer>
    </div>
  );
}

/** What the user is asked for, and how it gets into the text. */
interface Inserting {
  what: Insertable;
  put: (markdown: string) => void;
}

/** What the editor says of citations and where they lead. */
function useKnown(document: LivingDocument, own: OwnLinks | undefined, onInsert: (inserting: Inserting) => void): Facts {
  const { citing } = useCitations(document, own);
  return useMemo(
    () => ({
      cited: (href, title) => {
        const found = citing?.cited?.(href, title);
        return found ? { ...found, from: t("projects.fromCtrlClickOpensIt", { from: found.from }) } : null;
      },
      bound: (href) => citing?.bound?.(href) ?? null,
      insert: (what, put) => onInsert({ what, put }),
      open: (href) => {
        const address = citing?.addressOf(href);
        if (address) citing?.open(address, href);
      },
    }),
    [citing, onInsert],
  );
}

import { lazy, Suspense, useMemo, useState } from "react";

import { ErrorNote } from "@/components/Notes";
import type { Result } from "@/lib/api/results";
import { citationOf } from "@/lib/citations";
import { t } from "@/lib/i18n";
import type { Spot } from "@/lib/places";
import { toast } from "@/lib/toasts";

import { Fields } from "./Fields";
import { Report } from "./Report";
import { FieldActionsProvider } from "./context";
import { spotsOf } from "./grounding";
import { leavesOf } from "./tree";
import { writingOf } from "./writing";

import type { FieldActions } from "./context";
import type { FieldRef, Leaf, Node } from "./tree";
import type { useResultChanges } from "./useExtraction";

const SpreadNote = lazy(() => import("@/components/SpreadNote"));

export interface FieldEvents {
  selected: FieldRef | null;
  /** The selected field was chosen by its word on the page. */
  isPicked?: boolean;
  /** A field is chosen: light its words and go to them. */
  onSelect: (field: FieldRef, spots: Spot[]) => void;
  /** A field is pointed at: light its words. */
  onHover: (spots: Spot[]) => void;
}

interface ResultFieldsProps extends FieldEvents {
  result: Result;
  nodes: Node[];
  changes: ReturnType<typeof useResultChanges>;
}

/** The fields of one result, and what can be done to each. */
export function ResultFields({ result, nodes, changes, selected, isPicked = false, onSelect, onHover }: ResultFieldsProps) {
  const [editing, setEditing] = useState<string | null>(null);
  const { edit, verify } = changes;
  const writing = useMemo(() => writingOf(leavesOf(nodes)), [nodes]);
  const { prompt_revid: promptRevid, prompt_id: promptId, document_id: documentId } = result;
  const actions = useMemo<FieldActions>(
    () => ({
      documentId,
      promptRevid,
      writing,
      selected,
      isPicked,
      editing,
      select: (leaf: Leaf) => onSelect({ promptRevid, path: leaf.path }, spotsOf(leaf.grounding)),
      hover: (leaf) => onHover(leaf ? spotsOf(leaf.grounding) : []),
      edit: setEditing,
      save: (path, value, places) => edit.mutateAsync({ path, value, places }),
      change: (path, value, thenEdit) => edit.mutate({ path, value }, { onSuccess: () => thenEdit && setEditing(path) }),
      verify: (leaf) => verify.mutate({ path: leaf.path, verified: !leaf.isVerified }),
      cite: (leaf) => {
        navigator.clipboard.writeText(citationOf({ documentId, promptId, path: leaf.path }, leaf.value)).then(
          () => toast(t("extraction.copiedPasteItIntoADocument")),
          () => toast(t("extraction.theBrowserDidNotAllowCopying")),
        );
      },
    }),
    [promptRevid, promptId, documentId, writing, selected, isPicked, editing, onSelect, onHover, edit, verify],
  );
  const failed = verify.error ?? (editing === null ? edit.error : null);
  return (
    <FieldActionsProvider value={actions}>
      <Report result={result} />
      {failed && (
        <ErrorNote
          className="mb-2"
          what={t("extraction.theResultWasNotChanged")}
          error={failed}
          onDismiss={() => {
            verify.reset();
            edit.reset();
          }}
        />
      )}
      <Suspense>
        <SpreadNote promptRevid={promptRevid} documentId={documentId} className="mb-2" />
      </Suspense>
      <Fields nodes={nodes} />
    </FieldActionsProvider>
  );
}

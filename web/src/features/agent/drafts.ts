import { useCallback } from "react";

import { Store, useStore } from "@/lib/store";

import type { Draft } from "./MentionInput";

const EMPTY: Draft = { text: "", chosen: [] };
const drafts = new Store<Record<string, Draft>>({});

interface Writing {
  draft: Draft;
  setDraft: (draft: Draft) => void;
  /** Puts a message that did not arrive back in front of what was written since. */
  putBack: (message: Draft) => void;
}

/** The message that is being written, kept while the user looks at another tab of the page. */
export function useDraft(subjectId: string): Writing {
  const all = useStore(drafts);
  const setDraft = useCallback((draft: Draft) => drafts.update((old) => ({ ...old, [subjectId]: draft })), [subjectId]);
  const putBack = useCallback(
    (message: Draft) => drafts.update((old) => ({ ...old, [subjectId]: together(message, old[subjectId] ?? EMPTY) })),
    [subjectId],
  );
  return { draft: all[subjectId] ?? EMPTY, setDraft, putBack };
}

function together(first: Draft, second: Draft): Draft {
  const text = [first.text, second.text].filter((one) => one.trim()).join("\n");
  const alsoChosen = second.chosen.filter((item) => !first.chosen.some((other) => other.id === item.id));
  return { text, chosen: [...first.chosen, ...alsoChosen] };
}

import { useCallback } from "react";

import { recall, remember } from "@/lib/remembered";
import { Store, useStore } from "@/lib/store";

import type { Draft } from "./MentionInput";

const EMPTY: Draft = { text: "", chosen: [] };
const KEY = "agent.drafts";
const drafts = new Store<Record<string, Draft>>(recall(KEY, {}));

interface Writing {
  draft: Draft;
  setDraft: (draft: Draft) => void;
  /** Puts a message that did not arrive back in front of what was written since. */
  putBack: (message: Draft) => void;
}

/** The message that is being written, kept while the user looks at other pages, and through a reload. */
export function useDraft(subjectId: string): Writing {
  const all = useStore(drafts);
  const setDraft = useCallback((draft: Draft) => keep(subjectId, draft), [subjectId]);
  const putBack = useCallback((message: Draft) => keep(subjectId, together(message, drafts.get()[subjectId] ?? EMPTY)), [subjectId]);
  return { draft: all[subjectId] ?? EMPTY, setDraft, putBack };
}

function keep(subjectId: string, draft: Draft): void {
  const { [subjectId]: _, ...others } = drafts.get();
  drafts.update(() => (draft.text ? { ...others, [subjectId]: draft } : others));
  remember(KEY, drafts.get());
}

function together(first: Draft, second: Draft): Draft {
  const text = [first.text, second.text].filter((one) => one.trim()).join("\n");
  const alsoChosen = second.chosen.filter((item) => !first.chosen.some((other) => other.id === item.id));
  return { text, chosen: [...first.chosen, ...alsoChosen] };
}

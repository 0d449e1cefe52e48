import { useCallback } from "react";

import { Store, useStore } from "@/lib/store";

import type { Draft } from "./MentionInput";

const EMPTY: Draft = { text: "", chosen: [] };
const drafts = new Store<Record<string, Draft>>({});

/** What is being written, kept while one looks at another tab of the page. */
export function useDraft(subjectId: string): [Draft, (draft: Draft) => void] {
  const all = useStore(drafts);
  const change = useCallback((draft: Draft) => drafts.update((old) => ({ ...old, [subjectId]: draft })), [subjectId]);
  return [all[subjectId] ?? EMPTY, change];
}

import { useEffect, useRef, useState } from "react";

import { recall, remember } from "@/lib/remembered";

/** Something that was typed and not saved yet. */
export interface Unsaved<T> {
  value: T;
  /** The version it was made from. */
  base: string | null;
  at: string;
}

const WAIT_MS = 300;

/** What was left unsaved under this key, if anything. Never for secrets. */
export function recallUnsaved<T>(key: string): Unsaved<T> | null {
  return recall<Unsaved<T> | null>(`draft.${key}`, null);
}

export function forgetUnsaved(key: string): void {
  remember(`draft.${key}`, null);
}

/** Keeps what is typed through reloads and other pages until it is saved; `null` means that there is nothing to keep. */
export function useKeptUnsaved<T>(key: string, value: T | null, base: string | null): void {
  const latest = useRef<{ key: string; kept: Unsaved<T> | null }>({ key, kept: null });
  const text = JSON.stringify(value);
  const [first] = useState(text);
  const touched = useRef(false);
  useEffect(() => {
    if (text === first && !touched.current) return;
    touched.current = true;
    const kept = value === null ? null : { value, base, at: new Date().toISOString() };
    latest.current = { key, kept };
    const timer = setTimeout(() => remember(`draft.${key}`, kept), WAIT_MS);
    return () => clearTimeout(timer);
    // The text stands for the value.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [text, key, base, first]);
  useEffect(() => {
    const keep = (): void => {
      if (touched.current) remember(`draft.${latest.current.key}`, latest.current.kept);
    };
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, []);
}

import { useEffect, useLayoutEffect, useRef } from "react";

import { Store, useStore } from "@/lib/store";

export interface Shortcut {
  /** As shown and as pressed: "?", "/", "Mod+K", "ArrowDown", "v". Mod is Cmd on a Mac and Ctrl elsewhere. */
  keys: string;
  does: string;
  group: string;
}

const shortcuts = new Store<Shortcut[]>([]);
const isMac = typeof navigator !== "undefined" && navigator.userAgent.includes("Mac");

/** Bind a key while the calling component is on the page, and list it in the help sheet. Not while the user types. */
export function useShortcut(shortcut: Shortcut, run: (event: KeyboardEvent) => void, active = true): void {
  const latest = useRef(run);
  // Before the next key, which may come sooner than other effects run.
  useLayoutEffect(() => {
    latest.current = run;
  });
  const { keys, does, group } = shortcut;
  useEffect(() => {
    if (!active) return;
    const listed = { keys, does, group };
    shortcuts.update((all) => [...all, listed]);
    const pressed = (event: KeyboardEvent): void => {
      if (!matches(keys, event) || (isTyping(event) && !keys.includes("Mod+"))) return;
      event.preventDefault();
      latest.current(event);
    };
    window.addEventListener("keydown", pressed);
    return () => {
      window.removeEventListener("keydown", pressed);
      shortcuts.update((all) => all.filter((other) => other !== listed));
    };
  }, [keys, does, group, active]);
}

/** List keys that a component handles by itself (a list, a viewer) in the help sheet. */
export function useListedShortcuts(listed: Shortcut[]): void {
  const text = JSON.stringify(listed);
  useEffect(() => {
    const mine = JSON.parse(text) as Shortcut[];
    shortcuts.update((all) => [...all, ...mine]);
    return () => shortcuts.update((all) => all.filter((other) => !mine.includes(other)));
  }, [text]);
}

export function useAllShortcuts(): Shortcut[] {
  return useStore(shortcuts);
}

export function shown(keys: string): string {
  return keys
    .replace("Mod+", isMac ? "⌘" : "Ctrl+")
    .replace("ArrowUp", "↑")
    .replace("ArrowDown", "↓")
    .replace("ArrowLeft", "←")
    .replace("ArrowRight", "→")
    .replace(/(^|\+)([a-z])$/, (_, before: string, letter: string) => before + letter.toUpperCase());
}

export function matches(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const wantsMod = parts.includes("Mod");
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const other = isMac ? event.ctrlKey : event.metaKey;
  return event.key.toLowerCase() === key.toLowerCase() && mod === wantsMod && !other && !event.altKey;
}

export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("[role=dialog], [role=menu]")) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

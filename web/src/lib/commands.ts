import { useEffect, useRef } from "react";

import { Store, useStore } from "@/lib/store";

export interface Command {
  id: string;
  /** What happens, as a verb: "Upload documents". */
  label: string;
  /** Words that find it besides its label. */
  words?: string;
  group?: string;
  /** A key to show beside it; bind it with useShortcut. */
  keys?: string;
  run: () => void;
}

const commands = new Store<Command[]>([]);

/** Offer commands in the palette while the calling component is on the page. */
export function useCommands(offered: Command[]): void {
  const latest = useRef(offered);
  useEffect(() => {
    latest.current = offered;
  });
  const ids = offered.map((command) => `${command.id}\n${command.label}`).join("\n");
  useEffect(() => {
    const mine = latest.current.map((command) => ({
      ...command,
      run: () => latest.current.find((other) => other.id === command.id)?.run(),
    }));
    commands.update((all) => [...all.filter((other) => !mine.some((one) => one.id === other.id)), ...mine]);
    return () => commands.update((all) => all.filter((other) => !mine.includes(other)));
  }, [ids]);
}

export function useAllCommands(): Command[] {
  return useStore(commands);
}

/** Commands whose label or words hold every typed word, best first: those that start with what was typed. */
export function matching(all: Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((command) => {
    const text = `${command.label} ${command.words ?? ""} ${command.group ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = (command: Command): number => (command.label.toLowerCase().startsWith(words[0] ?? "") ? 0 : 1);
  return words.length ? [...found].sort((a, b) => rank(a) - rank(b)) : found;
}

import { withLineEndsOf } from "@/lib/lineEnds";

/** What is typed into a document, and the version that it began from. */
export interface Editing {
  base: number;
  /** The text of that version; null if it is no longer known, because unsaved typing was taken up again. */
  before: string | null;
  text: string;
}

export interface Newest {
  version: number;
  content: string;
}

export function begun({ version, content }: Newest): Editing {
  return { base: version, before: content, text: content };
}

/** Takes up again what was left unsaved, unless the newest version already says the same. */
export function takenUp(left: { value: string; base: string | null } | null, newest: Newest): Editing {
  const base = Number(left?.base ?? NaN);
  if (!left || !Number.isInteger(base) || left.value === newest.content) return begun(newest);
  return { base, before: base === newest.version ? newest.content : null, text: left.value };
}

/** What the editor shows after something was typed. It knows line feeds alone; the text keeps the line ends that it has. */
export function typed(editing: Editing, shown: string): Editing {
  const text = withLineEndsOf(editing.before ?? editing.text, shown);
  return text === editing.text ? editing : { ...editing, text };
}

export function isDirty({ before, text }: Editing): boolean {
  return before === null || before !== text;
}

/** Whether somebody has saved a version since the one that the typing began from. */
export function isBehind({ base }: Editing, newest: Newest): boolean {
  return newest.version > base;
}

/** Follows the newest version as long as nothing differs from it: nothing was typed, or the same text. */
export function inStep(editing: Editing, newest: Newest): Editing {
  if (!isBehind(editing, newest)) return editing;
  return !isDirty(editing) || editing.text === newest.content ? begun(newest) : editing;
}

/** The same typing on top of the newest version. */
export function onTopOf(editing: Editing, newest: Newest): Editing {
  return { base: newest.version, before: newest.content, text: editing.text };
}

import type { Mention } from "@/lib/agent/events";

/** Something that can be named with @. */
export interface Mentionable extends Mention {
  /** As shown after the @: "Invoice v3". */
  label: string;
}

/** What is being typed after an @, or null. The @ begins a word, and the text up to the caret may have spaces. */
export function mentionAt(text: string, caret: number): { from: number; typed: string } | null {
  const before = text.slice(0, caret);
  const from = before.lastIndexOf("@");
  if (from < 0 || (from > 0 && !/[\s(]/.test(before[from - 1] ?? ""))) return null;
  const typed = before.slice(from + 1);
  return typed.length > 40 || typed.includes("\n") ? null : { from, typed };
}

const MOST = 8;

/** What fits the typed letters: those that begin with them first. */
export function suggestions(all: readonly Mentionable[], typed: string): Mentionable[] {
  const wanted = typed.trim().toLowerCase();
  const found = all.filter((item) => item.label.toLowerCase().includes(wanted));
  const rank = (item: Mentionable): number => (item.label.toLowerCase().startsWith(wanted) ? 0 : 1);
  return wanted ? [...found].sort((a, b) => rank(a) - rank(b)).slice(0, MOST) : balanced(found);
}

/** Before anything is typed: some of each kind. */
function balanced(all: readonly Mentionable[]): Mentionable[] {
  const kinds = [...new Set(all.map((item) => item.type))];
  const each = Math.floor(MOST / Math.max(kinds.length, 1));
  return kinds.flatMap((kind) => all.filter((item) => item.type === kind).slice(0, each));
}

/** The text with the mention in place of what was typed, and where the caret goes. */
export function withMention(text: string, from: number, caret: number, label: string): { text: string; caret: number } {
  const after = text.slice(caret);
  const token = `@${label}${after.startsWith(" ") ? "" : " "}`;
  return { text: text.slice(0, from) + token + after, caret: from + token.length + (after.startsWith(" ") ? 1 : 0) };
}

/** Where chosen mentions stand in a text. A longer name wins over one that it begins with. */
export function tokensIn(text: string, chosen: readonly Mentionable[]): { from: number; to: number; item: Mentionable }[] {
  const byLength = [...chosen].sort((a, b) => b.label.length - a.label.length);
  const tokens: { from: number; to: number; item: Mentionable }[] = [];
  for (let place = text.indexOf("@"); place >= 0; place = text.indexOf("@", place + 1)) {
    const item = byLength.find((one) => text.startsWith(one.label, place + 1));
    if (item) tokens.push({ from: place, to: place + 1 + item.label.length, item });
  }
  return tokens;
}

/** What the request carries: each thing once, in the order of the text. */
export function mentionsIn(text: string, chosen: readonly Mentionable[]): Mention[] {
  const found = new Map<string, Mention>();
  for (const { item } of tokensIn(text, chosen)) found.set(`${item.type} ${item.id}`, { type: item.type, id: item.id });
  return [...found.values()];
}

/** Backspace at the end of a mention takes all of it. */
export function withoutTokenBefore(text: string, caret: number, chosen: readonly Mentionable[]): { text: string; caret: number } | null {
  const token = tokensIn(text, chosen).find((one) => one.to === caret);
  return token ? { text: text.slice(0, token.from) + text.slice(token.to), caret: token.from } : null;
}

import { isOver } from "./events";

import type { TurnFold } from "./fold";

/** Something that the user may say with one press. */
export interface Choice {
  label: string;
  /** What the agent is told. */
  says: string;
}

const MOST = 6;
const LONGEST = 80;
const OFFER = /“(yes, ([^”“]+))”/;
const ITEM = /^[-*] (.+)$/;

/** The choices that the last answer of a turn ends with: a list below a question, or a yes that it offers to be told. */
export function choicesOf(turn: TurnFold | undefined): Choice[] {
  const last = turn?.blocks.at(-1);
  if (!turn || !isOver(turn.status) || last?.type !== "text") return [];
  return choicesIn(last.text);
}

export function choicesIn(text: string): Choice[] {
  const lines = text.trimEnd().split("\n");
  const items: string[] = [];
  while (lines.length && ITEM.test(lines.at(-1) ?? "")) items.unshift(ITEM.exec(lines.pop() ?? "")?.[1] ?? "");
  const question = lines.findLast((line) => line.trim())?.trim();
  const isChoice = question?.endsWith("?") && items.length > 1 && items.length <= MOST && items.every((item) => item.length <= LONGEST);
  if (isChoice) return items.map((item) => ({ label: plain(item), says: item }));
  const [, says, does] = OFFER.exec(lines.at(-1) ?? "") ?? [];
  return says && does && !items.length ? [{ label: does.charAt(0).toUpperCase() + does.slice(1), says }] : [];
}

/** The text of an item without marks of emphasis. */
function plain(item: string): string {
  return item.replace(/\*\*|`/g, "");
}

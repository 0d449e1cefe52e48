import type { Block, Call, TurnFold } from "@/lib/agent/fold";
import { blocksNow } from "@/lib/agent/fold";
import { isQuiet } from "@/lib/agent/words";
import { writingWords } from "@/lib/agent/writing";
import { t } from "@/lib/i18n";

export type Row =
  | { type: "block"; id: string; label: string | null; block: Exclude<Block, { type: "call" }> }
  | { type: "call"; id: string; label: string | null; call: Call }
  /** Calls in a row that only read. */
  | { type: "reads"; id: string; label: string | null; calls: Call[] };

/** Up to this many reads are shown one by one; more fold into one line. */
const MOST_LINES = 3;
const PHASES = { get reason() { return t("agent.reason"); }, get observe() { return t("agent.observe"); }, get plan() { return t("agent.plan"); } } as const;

/** A turn as rows: runs of quiet calls together, and at the first row of each step or phase its label for the margin. */
export function rowsOf(turn: TurnFold): Row[] {
  const blocks = blocksNow(turn);
  const hasPhases = blocks.some((block) => block.type === "phase");
  const steps = new Set(blocks.filter((block) => block.type !== "user").map((block) => block.step)).size;
  const rows: Row[] = [];
  let told = "";
  let observed = 0;
  for (const block of blocks) {
    if (block.type === "phase" && block.phase === "observe") observed = block.step;
    const isAnswer = hasPhases && block.type === "text" && block.step === observed;
    const name = isAnswer ? t("common.answer") : labelOf(block, hasPhases, steps > 1);
    const label = name && name !== told ? name : null;
    if (name) told = name;
    if (block.type === "writing" && writingWords(block.name, block.arguments) === null) continue;
    if (block.type !== "call") {
      rows.push({ type: "block", id: block.id, label, block });
      continue;
    }
    const call = turn.calls[block.key];
    if (!call || isAsked(blocks, call)) continue;
    const last = rows.at(-1);
    if (!isQuiet(call)) rows.push({ type: "call", id: block.id, label, call });
    else if (last?.type === "reads" && !label) last.calls.push(call);
    else rows.push({ type: "reads", id: block.id, label, calls: [call] });
  }
  return rows.flatMap(unfolded);
}

/** A question has a card of its own. */
function isAsked(blocks: readonly Block[], call: Call): boolean {
  return call.name === "request_input" && blocks.some((block) => block.type === "question");
}

function labelOf(block: Block, hasPhases: boolean, hasSteps: boolean): string | null {
  if (block.type === "user") return t("common.you");
  if (block.type === "end" || block.type === "trimmed" || block.step === 0) return null;
  if (block.type === "phase") return `${PHASES[block.phase]} ${block.step}`;
  if (block.type === "plan") return t("agent.plan");
  if (hasPhases) return t("agent.actStep", { step: block.step });
  return hasSteps ? t("agent.stepStep", { step: block.step }) : null;
}

function unfolded(row: Row): Row[] {
  if (row.type !== "reads" || row.calls.length > MOST_LINES) return [row];
  return row.calls.map((call, index) => ({ type: "call", id: call.key, label: index === 0 ? row.label : null, call }));
}

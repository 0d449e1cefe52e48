import { memo } from "react";

import type { OwnLinks } from "@/components/Markdown";
import { ActionCard } from "@/components/agent/ActionCard";
import { PlanCard } from "@/components/agent/PlanCard";
import { QuestionCard } from "@/components/agent/QuestionCard";
import { isOver } from "@/lib/agent/events";
import type { Call, TurnFold } from "@/lib/agent/fold";
import { asObject } from "@/lib/agent/words";
import type { AgentTool } from "@/lib/api/agent";
import { t } from "@/lib/i18n";

import { ActionLine } from "./ActionLine";
import { DoneQuestion, DonePlan, EndNote, PhaseText, Thinking, TrimmedNote, Writing } from "./Blocks";
import { Reply } from "./Reply";
import { ReadsRow, ToolRow } from "./ToolRow";
import { UserMessage } from "./UserMessage";
import { rowsOf } from "./rows";

import type { AgentPlace } from "./changed";
import type { Row } from "./rows";
import type { TurnActions } from "./useSteady";

interface TurnRowsProps {
  turn: TurnFold;
  tools: readonly AgentTool[];
  own: OwnLinks;
  /** What can be done with the turn; nothing can where one only looks at the past. */
  acts?: TurnActions;
  place: AgentPlace;
  /** Why an earlier message cannot be edited now. */
  editBlocked?: string | false;
}

/** One message of the user and everything that came of it. */
export const TurnRows = memo(function TurnRows({ turn, tools, own, acts, place, editBlocked }: TurnRowsProps) {
  const rows = rowsOf(turn);
  const asked = turn.blocks.find((block) => block.type === "user")?.text;
  const content = (row: Row) => {
    if (row.type === "reads") return <ReadsRow calls={row.calls} />;
    if (row.type === "call") return callRow(row.call);
    return blockRow(row.block);
  };
  const callRow = (call: Call) => {
    if (acts && call.stage === "waiting" && call.asks && turn.status === "awaiting_approval") {
      const parameters = asObject(tools.find((tool) => tool.name === call.name)?.parameters);
      return <ActionCard call={call} parameters={parameters} about={place.kind} onDecide={(verdict) => acts.decide(turn.id, [verdict])} />;
    }
    if (isAction(call)) {
      const undoBlocked = turn.status === "running" && t("agent.waitUntilTheAgentIsDone");
      return <ActionLine call={call} place={place} undoBlocked={undoBlocked} onUndo={async () => acts?.undo(turn.id, call.id)} />;
    }
    return <ToolRow call={call} />;
  };
  const blockRow = (block: Extract<Row, { type: "block" }>["block"]) => {
    switch (block.type) {
      case "user":
        return (
          <UserMessage
            text={block.text}
            at={block.at}
            steered={block.steered}
            editBlocked={editBlocked}
            onEdit={acts && !block.steered ? () => acts.edit(turn.id, block.text) : undefined}
          />
        );
      case "thinking":
        return <Thinking text={block.text} isLive={block.isLive} seconds={block.seconds} />;
      case "writing":
        return <Writing name={block.name} json={block.arguments} />;
      case "text":
        return <Reply text={block.text} own={own} />;
      case "phase":
        return <PhaseText phase={block.phase} text={block.text} isLive={block.isLive} />;
      case "plan":
        return acts && block.waits && turn.status === "awaiting_approval" ? (
          <PlanCard
            key={block.revision}
            steps={block.steps.map((step) => step.text)}
            revision={block.revision}
            onDecide={(decision) => acts.decidePlan(turn.id, { ...decision, seen: turn.seq })}
          />
        ) : (
          <DonePlan steps={block.steps} verdict={block.verdict} isOver={isOver(turn.status)} />
        );
      case "question":
        return acts && block.answer === null && !block.timedOut && turn.status === "awaiting_input" ? (
          <QuestionCard
            question={block.question}
            choices={block.choices}
            expiresAt={block.expiresAt}
            onAnswer={(text) => acts.answer(turn.id, { text, seen: turn.seq })}
          />
        ) : (
          <DoneQuestion question={block.question} answer={block.answer} />
        );
      case "trimmed":
        return <TrimmedNote messages={block.messages} />;
      case "end":
        return <EndNote block={block} onRetry={acts && asked ? () => acts.edit(turn.id, asked) : undefined} />;
    }
  };
  return (
    <>
      {rows.map((row) => (
        <div key={row.id} className="@container">
          <div className="grid gap-x-2 @md:grid-cols-[3.75rem_minmax(0,1fr)]">
            <span className={row.label ? "pt-0.5 text-xs text-muted select-none" : "max-@md:hidden"}>{acts || row.label !== t("common.you") ? row.label : t("agent.asked")}</span>
            <div className="min-w-0">{content(row)}</div>
          </div>
        </div>
      ))}
    </>
  );
});

/** Whether a call is a change that was asked for or allowed. Calls that the loop itself refused are quiet lines. */
function isAction(call: Call): boolean {
  return call.asks || call.decision !== null || (call.grant !== null && call.grant.kind !== "read_only" && call.grant.kind !== "loop");
}

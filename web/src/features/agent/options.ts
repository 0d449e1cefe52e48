import { useCallback } from "react";

import type { Subject } from "@/lib/agent/subject";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useRemembered } from "@/lib/remembered";

import type { Sent } from "./useAgent";

export type ApprovalMode = "ask" | "some" | "all";

/** How messages are worked on, everywhere in the organisation; projects have tools of their own. */
interface WayOfWorking {
  model: string | null;
  strategy: string | null;
  maxSteps: number | null;
  /** Only these tools are offered; null offers all. */
  tools: string[] | null;
}

/** What goes for one document or project only: what may run unasked, and where else to look. */
interface ForSubject {
  approval: ApprovalMode;
  allowed: string[];
  sources: { id: string; name: string }[];
}

export interface Options extends WayOfWorking, ForSubject {}

const USUAL_WAY: WayOfWorking = { model: null, strategy: null, maxSteps: null, tools: null };
const USUAL_HERE: ForSubject = { approval: "ask", allowed: [], sources: [] };

export function useOptions(subject: Subject): [Options, (change: Partial<Options>) => void] {
  const { id } = useOrganization();
  const [way, setWay] = useRemembered<WayOfWorking>(subject.kind === "project" ? `agent.way.${id}.project` : `agent.way.${id}`, USUAL_WAY);
  const [here, setHere] = useRemembered<ForSubject>(`agent.document.${subject.id}`, USUAL_HERE);
  const options = { ...USUAL_WAY, ...USUAL_HERE, ...way, ...here };
  const change = useCallback(
    (next: Partial<Options>) => {
      const { approval, allowed, sources, ...rest } = { ...way, ...here, ...next };
      setHere({ approval, allowed, sources });
      setWay(rest);
    },
    [way, here, setWay, setHere],
  );
  return [options, change];
}

/** The part of a message that the options make. */
export function sentWith(options: Options): Sent {
  return {
    model: options.model ?? undefined,
    loop_strategy: options.strategy ?? undefined,
    max_steps: options.maxSteps ?? undefined,
    selected_tools: options.tools ?? undefined,
    auto_approve: options.approval === "all",
    auto_approved_tools: options.approval === "some" ? options.allowed : undefined,
    data_sources: options.sources.map((source) => source.id),
  };
}

export function approvalWords(options: Pick<Options, "approval" | "allowed">): string {
  if (options.approval === "all") return t("agent.allowAllChanges");
  if (options.approval === "some" && options.allowed.length) return t("agent.askExceptForCount", { count: options.allowed.length });
  return t("agent.askBeforeChanges");
}

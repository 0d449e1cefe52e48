import { useParams } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";

import { Badge } from "@/components/Badge";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { Split } from "@/components/Split";
import { Tabs } from "@/components/Tabs";
import { AgentPanel } from "@/features/agent/AgentPanel";
import { useOwnLinks } from "@/features/agent/links";
import { sentWith, useOptions } from "@/features/agent/options";
import { useAgent } from "@/features/agent/useAgent";
import type { Agent } from "@/features/agent/useAgent";
import { DocumentList } from "@/features/projects/DocumentList";
import { ProjectBar } from "@/features/projects/ProjectBar";
import type { Decide } from "@/features/projects/Proposals";
import { TextPane } from "@/features/projects/TextPane";
import type { WaitingChange } from "@/features/projects/suggestions";
import { useOpen } from "@/features/projects/useOpen";
import { waitingCalls } from "@/lib/agent/fold";
import type { TurnFold } from "@/lib/agent/fold";
import { ApiError, messageOf } from "@/lib/api/errors";
import { useProject } from "@/lib/api/projects";
import type { Project } from "@/lib/api/projects";
import { t } from "@/lib/i18n";
import { useMedia } from "@/lib/media";
import { useAgentHidden } from "@/lib/preferences";
import { useTitle } from "@/lib/title";
import { toast } from "@/lib/toasts";
import { useIsNarrow } from "@/lib/width";

import { useTab } from "../useTab";

const ROOM_FOR_THREE = "(min-width: 1100px)";

export default function ProjectPage() {
  const { projectId = "" }: { projectId?: string } = useParams({ strict: false });
  const { data: project, error, refetch } = useProject(projectId);
  useTitle(project?.name);
  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState heading title={t("projects.thisProjectDoesNotExistOr")} />;
  }
  if (error) return <ErrorNote className="m-4" what={t("projects.theProjectCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!project) return <Loading what={t("projects.theProject")} />;
  return <Workspace key={project.id} project={project} />;
}

/** Documents, text and conversation side by side; where there is no room for that, behind tabs. */
function Workspace({ project }: { project: Project }) {
  const isNarrow = useIsNarrow();
  const hasRoom = useMedia(ROOM_FOR_THREE);
  const { document } = useOpen();
  const [tab, setTab] = useTab(document === null && isNarrow ? "documents" : "text");
  const [hidesAgent] = useAgentHidden();
  // An address that names the agent still leads to it: the inbox links here.
  const hasAgent = !hidesAgent || tab === "agent";
  const agent = useAgent({ kind: "project", id: project.id });
  const own = useOwnLinks();
  const waiting = useWaitingChanges(agent.current);
  const { decide, ask } = useSteadyAgent(agent, () => isNarrow && setTab("agent"));

  // The same elements while the agent speaks, so that a long text is not redrawn with every word.
  const documents = useMemo(() => <DocumentList project={project} />, [project]);
  const text = useMemo(
    () => <TextPane projectId={project.id} waiting={waiting} onDecide={decide} own={own} onAsk={ask} />,
    [project.id, waiting, decide, own, ask],
  );
  const conversation = (
    <div className="flex h-full min-h-0 flex-1 flex-col bg-surface">
      <AgentPanel agent={agent} openDocument={document} />
    </div>
  );
  const parts = [
    { value: "documents", label: t("common.documents"), content: documents },
    { value: "text", label: t("common.text"), content: <div className="flex h-full flex-col">{text}</div> },
  ];
  const agentTab = { value: "agent", label: t("common.agent"), note: agent.waiting > 0 ? <Badge tone="warm">{agent.waiting}</Badge> : undefined, content: conversation };
  const tabs = isNarrow && hasAgent ? [...parts, agentTab] : parts;
  const active = tabs.some((item) => item.value === tab) ? tab : "text";
  const behindTabs = <Tabs label={t("projects.partsOfTheProject")} tabs={tabs} value={active} onChange={setTab} className="flex-1 bg-surface" />;
  const beside = hasRoom ? text : behindTabs;
  const main = hasAgent ? (
    <Split key="agent" name="project.agent" label={t("projects.widthOfTheText")} className="flex-1" initial={60} min={35} left={beside} right={conversation} />
  ) : (
    beside
  );
  return (
    <>
      <ProjectBar project={project} />
      {isNarrow ? (
        behindTabs
      ) : hasRoom ? (
        <Split key="documents" name="project.documents" label={t("projects.widthOfTheList")} className="flex-1" initial={19} min={14} max={35} left={documents} right={main} />
      ) : (
        main
      )}
    </>
  );
}

/** The changes that wait. The list is another one only if they are others. */
function useWaitingChanges(turn: TurnFold | null): WaitingChange[] {
  const waiting = JSON.stringify(turn ? waitingCalls(turn).map(({ id, preview }): WaitingChange => ({ turnId: turn.id, id, preview })) : []);
  return useMemo(() => JSON.parse(waiting) as WaitingChange[], [waiting]);
}

/** Decides, and sends a message as the agent's panel would. They are the same functions for as long as the page is there. */
function useSteadyAgent(agent: Agent, onAsked: () => void): { decide: Decide; ask: (message: string) => void } {
  const [options] = useOptions(agent.subject);
  const latest = useRef({ agent, options, onAsked });
  useEffect(() => {
    latest.current = { agent, options, onAsked };
  });
  return useMemo(
    () => ({
      decide: (turnId, verdicts) => latest.current.agent.decide(turnId, verdicts),
      ask: (message) => {
        const { agent, options, onAsked } = latest.current;
        onAsked();
        agent.send(message, sentWith(options)).catch((error: unknown) => toast(t("projects.theAgentWasNotAskedError", { error: messageOf(error) })));
      },
    }),
    [],
  );
}

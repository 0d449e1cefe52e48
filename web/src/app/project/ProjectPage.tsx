import { useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef } from "react";

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
import { TextPane } from "@/features/projects/TextPane";
import { suggestedLines } from "@/features/projects/suggestions";
import { useOpen } from "@/features/projects/useOpen";
import type { Preview } from "@/lib/agent/events";
import { waitingCalls } from "@/lib/agent/fold";
import type { TurnFold } from "@/lib/agent/fold";
import { ApiError, messageOf } from "@/lib/api/errors";
import { useProject } from "@/lib/api/projects";
import type { LivingDocument, Project } from "@/lib/api/projects";
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
    return <EmptyState heading title="This project does not exist, or it was deleted." />;
  }
  if (error) return <ErrorNote className="m-4" what="The project cannot be shown." error={error} onRetry={() => void refetch()} />;
  if (!project) return <Loading what="the project" />;
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
  const suggestedFor = useSuggestions(agent.current);
  const ask = useAsking(agent, () => isNarrow && setTab("agent"));

  // The same elements while the agent speaks, so that a long text is not drawn anew with every word.
  const documents = useMemo(() => <DocumentList project={project} />, [project]);
  const text = useMemo(() => <TextPane projectId={project.id} suggestedFor={suggestedFor} own={own} onAsk={ask} />, [project.id, suggestedFor, own, ask]);
  const conversation = (
    <div className="flex h-full min-h-0 flex-1 flex-col bg-surface">
      <AgentPanel agent={agent} openDocument={document} />
    </div>
  );
  const parts = [
    { value: "documents", label: "Documents", content: documents },
    { value: "text", label: "Text", content: <div className="flex h-full flex-col">{text}</div> },
  ];
  const agentTab = { value: "agent", label: "Agent", note: agent.waiting > 0 ? <Badge tone="warm">{agent.waiting}</Badge> : undefined, content: conversation };
  const tabs = isNarrow && hasAgent ? [...parts, agentTab] : parts;
  const active = tabs.some((item) => item.value === tab) ? tab : "text";
  const behindTabs = <Tabs label="Parts of the project" tabs={tabs} value={active} onChange={setTab} className="flex-1 bg-surface" />;
  const beside = hasRoom ? text : behindTabs;
  const main = hasAgent ? (
    <Split key="agent" name="project.agent" label="Width of the text" className="flex-1" initial={60} min={35} left={beside} right={conversation} />
  ) : (
    beside
  );
  return (
    <>
      <ProjectBar project={project} />
      {isNarrow ? (
        behindTabs
      ) : hasRoom ? (
        <Split key="documents" name="project.documents" label="Width of the list" className="flex-1" initial={19} min={14} max={35} left={documents} right={main} />
      ) : (
        main
      )}
    </>
  );
}

/** Sends a message to the agent as its panel would. It is always the same function. */
function useAsking(agent: Agent, onAsked: () => void): (message: string) => void {
  const [options] = useOptions(agent.subject);
  const latest = useRef<(message: string) => void>(null);
  useEffect(() => {
    latest.current = (message) => {
      onAsked();
      agent.send(message, sentWith(options)).catch((error: unknown) => toast(`The agent was not asked. ${messageOf(error)}`));
    };
  });
  return useCallback((message) => latest.current?.(message), []);
}

/** A function that tells which lines of a document the waiting changes would touch. It changes only if they do. */
function useSuggestions(turn: TurnFold | null): (document: LivingDocument) => ReturnType<typeof suggestedLines> {
  const waiting = JSON.stringify(turn ? waitingCalls(turn).map((call) => call.preview) : []);
  return useCallback((document) => suggestedLines(JSON.parse(waiting) as (Preview | null)[], document), [waiting]);
}

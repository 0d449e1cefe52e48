import type { TurnFold } from "@/lib/agent/fold";
import type { AgentTool } from "@/lib/api/agent";

import { TurnRows } from "./TurnRows";
import { useOwnLinks } from "./links";

const NO_TOOLS: readonly AgentTool[] = [];

/** A turn as it is told elsewhere: one can look into its rows, and change nothing. */
export function PastTurn({ turn, documentId }: { turn: TurnFold; documentId: string }) {
  const own = useOwnLinks();
  return (
    <div className="flex flex-col gap-2">
      <TurnRows turn={turn} tools={NO_TOOLS} own={own} place={{ kind: "document", id: documentId, openDocument: null }} />
    </div>
  );
}

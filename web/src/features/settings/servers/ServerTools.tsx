import { RefreshCw } from "lucide-react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Checkbox } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { useWished } from "@/lib/wished";

import { useServerTools, useToolChoice } from "./useServers";

import type { Server, ServerTool } from "./useServers";

interface ServerToolsProps {
  server: Server;
  /** Whether the server can be asked at all. */
  isUsable: boolean;
}

/** What the server offers, word for word, and which of it the agent may use. */
export function ServerTools({ server, isUsable }: ServerToolsProps) {
  const { listed, refresh } = useServerTools(server.id);
  const { data, error, refetch } = listed;
  const off = !isUsable && "The server is switched off.";
  return (
    <section aria-label={`Tools of ${server.name}`} className="flex flex-col gap-2">
      {error && <ErrorNote what="The tools cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the tools" />}
      {data?.tools.length === 0 && <p className="text-sm text-muted">It was not asked for its tools yet, or it has none.</p>}
      {data && data.tools.length > 0 && (
        <ul className="flex flex-col divide-y rounded-md border">
          {data.tools.map((tool) => (
            <ToolItem key={tool.id} serverId={server.id} tool={tool} />
          ))}
        </ul>
      )}
      {refresh.error && <ErrorNote what="Could not list the server's tools." error={refresh.error} />}
      <div>
        <Button small icon={RefreshCw} busy={refresh.isPending && "Asking"} disabledBecause={off} onClick={() => refresh.mutate()}>
          Ask for its tools
        </Button>
      </div>
    </section>
  );
}

function ToolItem({ serverId, tool }: { serverId: string; tool: ServerTool }) {
  const decide = useToolChoice(serverId, tool.id);
  const [shown, wish] = useWished(tool, ({ state, digest, read_only }, options) =>
    decide.mutate({ digest: state === "offered" ? digest : null, read_only }, options),
  );
  const isOffered = shown.state === "offered";
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono text-sm wrap-anywhere">{tool.name}</span>
        {shown.state === "changed" && <Badge tone="warm">says something else now</Badge>}
        <Button
          small
          className="ml-auto"
          variant={isOffered ? "quiet" : "plain"}
          aria-label={`${isOffered ? "Switch off" : "Offer"} ${tool.name}`}
          onClick={() => wish({ ...tool, state: isOffered ? "off" : "offered", read_only: false })}
        >
          {isOffered ? "Switch off" : "Offer"}
        </Button>
      </div>
      <p className="text-sm wrap-anywhere whitespace-pre-line text-muted">{tool.description || "It says nothing of itself."}</p>
      <details className="text-sm">
        <summary className="cursor-pointer text-muted hover:text-ink">What it takes</summary>
        <pre className="rounded-md bg-sunken p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {JSON.stringify(tool.parameters, null, 2)}
        </pre>
      </details>
      {isOffered && (
        <Checkbox
          label="It only reads, so a call need not ask"
          checked={shown.read_only}
          onChange={(event) => wish({ ...tool, state: "offered", read_only: event.target.checked })}
        />
      )}
      {decide.error && <ErrorNote what="Nothing was changed." error={decide.error} />}
    </li>
  );
}

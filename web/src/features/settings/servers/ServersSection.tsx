import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { useCommands } from "@/lib/commands";
import { useRights } from "@/lib/rights";

import { AddServer } from "./AddServer";
import { ServerRow } from "./ServerRow";
import { useServers } from "./useServers";

/** MCP servers of others whose tools the agent may use. */
export function ServersSection() {
  const { adminsOnly } = useRights();
  return adminsOnly ? <p className="text-muted">Administrators of the organisation add servers and choose their tools here.</p> : <Servers />;
}

function Servers() {
  const [isAdding, setIsAdding] = useState(false);
  const { data, error, refetch } = useServers();
  const isOn = data?.enabled === true;
  useCommands(isOn ? [{ id: "servers.add", label: "Add an MCP server", words: "tools", run: () => setIsAdding(true) }] : []);
  if (error) return <ErrorNote what="The servers cannot be shown." error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="the servers" />;
  return (
    <>
      <p className="text-muted">
        The agent can use tools of MCP servers of others. You choose each tool, with what it says of itself; if that changes, you are
        asked again. What a tool sends out is shown before it is sent.
      </p>
      {!isOn && (
        <p className="rounded-md bg-sunken px-3 py-2">
          MCP servers are switched off on this deployment. Its operator can switch them on with the setting{" "}
          <code className="font-mono text-sm">mcp.enabled</code>.
        </p>
      )}
      {data.servers.length > 0 && (
        <ul aria-label="MCP servers" className="flex flex-col divide-y rounded-lg border bg-surface">
          {data.servers.map((server) => (
            <ServerRow key={server.id} server={server} isUsable={isOn} />
          ))}
        </ul>
      )}
      {isOn && data.servers.length === 0 && !isAdding && <p className="text-muted">There is no server yet.</p>}
      {isOn &&
        (isAdding ? (
          <AddServer commands={data.commands} onDone={() => setIsAdding(false)} />
        ) : (
          <div>
            <Button icon={Plus} onClick={() => setIsAdding(true)}>
              Add a server
            </Button>
          </div>
        ))}
    </>
  );
}

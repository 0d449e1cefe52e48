import { useState } from "react";

import { VersionChoice } from "@/components/VersionChoice";
import { useNameOf } from "@/lib/api/members";
import type { Schema } from "@/lib/api/schemas";

import { SchemaDiff } from "./SchemaDiff";

/** All versions; any two of them as a difference. */
export function VersionsPane({ versions }: { versions: Schema[] }) {
  const nameOf = useNameOf();
  const [chosen, setChosen] = useState<{ from: string; to: string } | null>(null);
  const to = versions.find((item) => item.schema_revid === chosen?.to) ?? versions[0];
  const from = versions.find((item) => item.schema_revid === chosen?.from) ?? versions[1] ?? versions[0];
  if (!to || !from) return null;
  return (
    <div className="flex flex-col gap-3 p-3 sm:p-4">
      <VersionChoice
        label="Versions of the schema"
        versions={versions.map((item) => ({
          id: item.schema_revid,
          version: item.schema_version,
          createdAt: item.created_at,
          by: nameOf(item.created_by),
        }))}
        from={from.schema_revid}
        to={to.schema_revid}
        onChange={(before, after) => setChosen({ from: before, to: after })}
      />
      <h2 className="text-base">
        {from === to ? `Version ${to.schema_version}` : `From version ${from.schema_version} to version ${to.schema_version}`}
      </h2>
      {versions.length === 1 ? (
        <p className="text-muted">This is the only version. The next one you save can be compared with it.</p>
      ) : (
        <SchemaDiff withJson label={`Version ${from.schema_version} and version ${to.schema_version}`} before={from.response_format} after={to.response_format} />
      )}
    </div>
  );
}

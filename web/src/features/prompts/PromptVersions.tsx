import { useState } from "react";

import { VersionChoice } from "@/components/VersionChoice";
import { useNameOf } from "@/lib/api/members";
import type { Prompt } from "@/lib/api/prompts";

import { PromptDiff } from "./PromptDiff";
import { valuesOf } from "./values";

/** All versions; any two of them as a difference. */
export function PromptVersions({ versions }: { versions: Prompt[] }) {
  const nameOf = useNameOf();
  const [chosen, setChosen] = useState<{ from: string; to: string } | null>(null);
  const to = versions.find((item) => item.prompt_revid === chosen?.to) ?? versions[0];
  const from = versions.find((item) => item.prompt_revid === chosen?.from) ?? versions[1] ?? versions[0];
  if (!to || !from) return null;
  return (
    <div className="flex flex-col gap-3 p-3 sm:p-4">
      <VersionChoice
        label="Versions of the prompt"
        versions={versions.map((item) => ({
          id: item.prompt_revid,
          version: item.prompt_version,
          createdAt: item.created_at,
          by: nameOf(item.created_by),
        }))}
        from={from.prompt_revid}
        to={to.prompt_revid}
        onChange={(before, after) => setChosen({ from: before, to: after })}
      />
      <h2 className="text-base">
        {from === to ? `Version ${to.prompt_version}` : `From version ${from.prompt_version} to version ${to.prompt_version}`}
      </h2>
      {versions.length === 1 ? (
        <p className="text-muted">This is the only version. The next one you save can be compared with it.</p>
      ) : (
        <PromptDiff label={`Version ${from.prompt_version} and version ${to.prompt_version}`} before={valuesOf(from)} after={valuesOf(to)} />
      )}
    </div>
  );
}

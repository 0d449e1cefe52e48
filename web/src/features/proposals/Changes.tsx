import { Preview } from "@/components/agent/Preview";
import type { Preview as PreviewValues } from "@/lib/agent/events";
import type { Proposal } from "@/lib/api/proposals";
import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";

/** Every change that accepting a proposal makes, as approval cards show changes. */
export function Changes({ proposal }: { proposal: Proposal }) {
  const changes = proposal.changes as unknown as PreviewValues[];
  if (!changes.length) return <p className="text-muted">{t("proposals.nothingChanges")}</p>;
  return (
    <ol aria-label={t("common.changes")} className="flex flex-col gap-4">
      {changes.map((change, index) => (
        <li key={index} className="flex min-w-0 flex-col gap-1">
          <h2 className="text-base">{titleOf(change, proposal)}</h2>
          <Preview preview={change} />
        </li>
      ))}
    </ol>
  );
}

function titleOf(change: PreviewValues, { schema, prompt }: Proposal): string {
  const isNew = typeof change.version_from !== "number";
  switch (change.kind) {
    case "schema":
      return `${isNew ? t("common.newSchema") : t("common.schema")}${schema ? ` ${quoted(schema.name)}` : ""}`;
    case "prompt":
      return `${isNew ? t("common.newPrompt") : t("common.prompt")}${prompt ? ` ${quoted(prompt.name)}` : ""}`;
    case "result":
      return t("proposals.resultOfThisDocument");
    default:
      return t("common.change");
  }
}

import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";

import { Badge } from "@/components/Badge";
import { IconButton } from "@/components/Button";
import { RelativeTime } from "@/components/RelativeTime";
import { Td, Tr } from "@/components/Table";
import { RawJson } from "@/components/agent/RawJson";
import type { Grant } from "@/lib/agent/events";
import { duration, grantWords, toolWords } from "@/lib/agent/words";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import type { Entry } from "./useAudit";
import type { ReactNode } from "react";

const OUTCOMES: Record<string, string> = {
  get done() { return t("activity.done"); },
  get failed() { return t("activity.failed"); },
  get refused() { return t("activity.refused"); },
  get undone() { return t("activity.undone"); },
};
const TONES: Record<string, "good" | "bad" | "neutral"> = { done: "good", failed: "bad", refused: "bad", undone: "neutral" };

/** One call: a row, and below it, when opened, how it came about. */
export function EntryRows({ entry }: { entry: Entry }) {
  const id = useId();
  const orgPath = useOrgPath();
  const [isOpen, setIsOpen] = useState(false);
  const what = entry.summary || toolWords(entry.tool);
  return (
    <>
      <Tr>
        <Td className="text-muted">
          <RelativeTime date={entry.at} />
        </Td>
        <Td className="min-w-48">
          <bdi className="line-clamp-2 wrap-anywhere">{what}</bdi>
          <span className="text-xs text-muted sm:hidden">{OUTCOMES[entry.outcome] ?? entry.outcome}</span>
        </Td>
        <Td className="max-w-56 truncate max-md:hidden">
          {entry.project_id && entry.project_name ? (
            <Link to={orgPath(`projects/${entry.project_id}`)} className="hover:text-accent hover:underline">
              {entry.project_name}
            </Link>
          ) : entry.document_id && entry.document_name ? (
            <Link to={orgPath(`documents/${entry.document_id}`)} className="hover:text-accent hover:underline">
              {entry.document_name}
            </Link>
          ) : (
            <span className="text-muted">{t("activity.deleted")}</span>
          )}
        </Td>
        <Td className="max-w-40 truncate max-lg:hidden">{entry.user_name ?? t("activity.somebody")}</Td>
        <Td className="max-sm:hidden">
          <Badge tone={TONES[entry.outcome] ?? "neutral"}>{OUTCOMES[entry.outcome] ?? entry.outcome}</Badge>
        </Td>
        <Td className="!pl-0">
          <IconButton
            small
            icon={ChevronRight}
            label={t("activity.detailsOfWhat", { what })}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setIsOpen(!isOpen)}
            className={cx(isOpen && "[&>svg]:rotate-90")}
          />
        </Td>
      </Tr>
      {isOpen && (
        <tr id={id} className="border-b bg-canvas">
          <td colSpan={6} className="px-4 py-3">
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
}

function Details({ entry }: { entry: Entry }) {
  const wasChanged = entry.proposed_arguments !== null && entry.ran_arguments !== null && entry.proposed_arguments !== entry.ran_arguments;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
        <Fact name={t("activity.askedBy")}>{entry.user_name ?? t("activity.somebody")}</Fact>
        <Fact name={t("activity.proposedBy")}>{entry.model}</Fact>
        <Fact name={t("activity.decision")}>{decision(entry)}</Fact>
        <Fact name={t("activity.tool")}>
          <span className="font-mono text-sm">{entry.tool}</span>
        </Fact>
        <Fact name={t("activity.took")}>{duration(entry.milliseconds)}</Fact>
        <Fact name={t("activity.costOfTheWholeMessage")}>{t("activity.countCredit", { turnCredits: entry.turn_credits })}</Fact>
      </dl>
      {wasChanged && <RawJson label={t("activity.argumentsAsTheModelProposedThem")} json={entry.proposed_arguments} />}
      <RawJson label={wasChanged ? t("activity.argumentsAsTheyRan") : t("common.arguments")} json={entry.ran_arguments ?? entry.proposed_arguments ?? "{}"} />
      {entry.result && <RawJson label={t("common.result")} json={entry.result} />}
    </div>
  );
}

function decision(entry: Entry): string {
  const reason = entry.reason ? `: ${entry.reason}` : "";
  const by = entry.decided_by ?? t("activity.byNobodyKnown");
  if (entry.outcome === "undone") return t("activity.undoneByBy", { by });
  if (entry.approved === true) return t("activity.approvedByByReason", { by, reason });
  if (entry.approved === false) return t("activity.rejectedByByReason", { by, reason });
  const words = grantWords((entry.grant ?? null) as Grant | null).replace(t("activity.yourRule"), t("activity.aRuleOfTheUser"));
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : t("activity.notAskedAndNotRun");
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

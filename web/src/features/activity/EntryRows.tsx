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
import { plural } from "@/lib/format";
import { useOrgPath } from "@/lib/organization";

import type { Entry } from "./useAudit";
import type { ReactNode } from "react";

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
          <span className="text-xs text-muted sm:hidden">{entry.outcome}</span>
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
            <span className="text-muted">deleted</span>
          )}
        </Td>
        <Td className="max-w-40 truncate max-lg:hidden">{entry.user_name ?? "Somebody"}</Td>
        <Td className="max-sm:hidden">
          <Badge tone={TONES[entry.outcome] ?? "neutral"}>{entry.outcome}</Badge>
        </Td>
        <Td className="!pl-0">
          <IconButton
            small
            icon={ChevronRight}
            label={`Details of ${what}`}
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
        <Fact name="Asked by">{entry.user_name ?? "Somebody"}</Fact>
        <Fact name="Proposed by">{entry.model}</Fact>
        <Fact name="Decision">{decision(entry)}</Fact>
        <Fact name="Tool">
          <span className="font-mono text-sm">{entry.tool}</span>
        </Fact>
        <Fact name="Took">{duration(entry.milliseconds)}</Fact>
        <Fact name="Cost of the whole message">{plural(entry.turn_credits, "credit")}</Fact>
      </dl>
      {wasChanged && <RawJson label="Arguments as the model proposed them" json={entry.proposed_arguments} />}
      <RawJson label={wasChanged ? "Arguments as they ran" : "Arguments"} json={entry.ran_arguments ?? entry.proposed_arguments ?? "{}"} />
      {entry.result && <RawJson label="Result" json={entry.result} />}
    </div>
  );
}

function decision(entry: Entry): string {
  const reason = entry.reason ? `: ${entry.reason}` : "";
  const by = entry.decided_by ?? "somebody";
  if (entry.outcome === "undone") return `Undone by ${by}`;
  if (entry.approved === true) return `Approved by ${by}${reason}`;
  if (entry.approved === false) return `Rejected by ${by}${reason}`;
  const words = grantWords((entry.grant ?? null) as Grant | null).replace("your rule", "a rule of the user");
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : "Not asked, and not run";
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";

import { Badge } from "@/components/Badge";
import { AgentPanel } from "@/features/agent/AgentPanel";
import { useAgent } from "@/features/agent/useAgent";
import { ExtractionPanel } from "@/features/extraction/ExtractionPanel";
import type { ExtractionPanelProps } from "@/features/extraction/ExtractionPanel";
import { isLocated, spotsOf } from "@/features/extraction/grounding";
import { fieldsOf, leavesOf } from "@/features/extraction/tree";
import { formsOf, SaidContext } from "@/lib/agent/pointed";
import type { SaidValues } from "@/lib/agent/pointed";
import type { Result } from "@/lib/api/results";
import { hrefOf } from "@/lib/citations";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";

/** The agent's tab. The agent is listened to whichever tab is shown, so the other tabs stay true while it works. */
export function useAgentTab(document: Document, results: Result[] | undefined, events: Omit<ExtractionPanelProps, "documentId">) {
  const agent = useAgent({ kind: "document", id: document.id });
  const navigate = useNavigate();
  const [writes, setWrites] = useState(false);
  const open = (threadId: string | null): void =>
    void navigate({ to: ".", search: (old: object) => ({ ...old, tab: "agent", ...(threadId && { thread: threadId }) }), replace: true });
  const said = useSaid(document.id, results, events.onSelect);
  const content = (
    <SaidContext value={said}>
      <AgentPanel
        agent={agent}
        blocked={blockedBecause(document)}
        writes={writes}
        onWriting={() => setWrites(false)}
        extraction={
          results?.length
            ? { note: noteOf(results), content: <ExtractionPanel documentId={document.id} {...events} embedded /> }
            : undefined
        }
      />
    </SaidContext>
  );
  return {
    tab: {
      value: "agent",
      label: t("common.agent"),
      note: agent.waiting > 0 ? <Waits count={agent.waiting} /> : undefined,
      content,
    },
    /** Opens a conversation, ready to write in it. */
    write: (threadId: string | null) => {
      setWrites(true);
      open(threadId);
    },
  };
}

/** The values that stand on the document's pages, for replies that name them. */
function useSaid(documentId: string, results: Result[] | undefined, onSelect: ExtractionPanelProps["onSelect"]): SaidValues {
  return useMemo(() => {
    const found = (results ?? []).flatMap((result) =>
      leavesOf(fieldsOf(result))
        .filter((leaf) => isLocated(leaf.grounding))
        .map((leaf) => ({
          href: hrefOf({ documentId, promptId: result.prompt_id, path: leaf.path }),
          label: leaf.label,
          forms: formsOf(leaf.value, leaf.grounding?.words.map((word) => word.text).join(" ") ?? ""),
          field: { promptRevid: result.prompt_revid, path: leaf.path },
          spots: spotsOf(leaf.grounding),
        })),
    );
    const light = (href: string): boolean => {
      const value = found.find((one) => one.href === href);
      if (value) onSelect(value.field, value.spots);
      return value !== undefined;
    };
    return { values: found, light };
  }, [documentId, results, onSelect]);
}

function Waits({ count }: { count: number }) {
  return (
    <Badge tone="warm">
      {count}
      <span className="max-sm:sr-only"> {t("document.waits", { count })}</span>
    </Badge>
  );
}

/** How many fields somebody asked for, as the document's state counts them: the summary counts where there is nothing else. */
function noteOf(results: readonly Result[]): string {
  const asked = results.filter((result) => result.prompt_id !== "default");
  const leaves = (asked.length ? asked : results).flatMap((result) => leavesOf(fieldsOf(result)));
  const toCheck = leaves.filter((leaf) => leaf.mark === "check").length;
  return toCheck ? t("document.countFieldToCheck", { count: leaves.length, toCheck }) : t("common.countField", { count: leaves.length });
}

function blockedBecause(document: Document): string | false {
  if (document.state === "uploaded" || document.state === "ocr_processing") return t("document.theDocumentIsStillBeingRead");
  return false;
}

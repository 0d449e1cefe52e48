import { useMemo } from "react";

import type { OwnLinks } from "@/components/Markdown";
import { useEvidence } from "@/lib/api/projects";
import type { LivingDocument } from "@/lib/api/projects";
import type { BoundNow } from "@/lib/bound";
import { staleIn, staleNote } from "@/lib/citations";
import type { Citation, CitedTable } from "@/lib/citations";
import { t } from "@/lib/i18n";

const NONE: { citations: Citation[]; tables: CitedTable[] } = { citations: [], tables: [] };

/** The citations of the open document: links that say where they are from, and those that have become stale. */
export function useCitations(document: LivingDocument, own: OwnLinks | undefined) {
  const { data } = useEvidence(document.project_id);
  const cited = data?.get(document.id) ?? NONE;
  const citing = useMemo<OwnLinks | undefined>(
    () =>
      own && {
        ...own,
        cited: (href, title) => {
          const found = cited.citations.find((one) => one.address === href && one.written_from === title);
          return found ? { from: sourceOf(found), note: staleNote(found) } : null;
        },
        bound: (href) => {
          const found = cited.tables.find((one) => one.address === href);
          return found ? boundNow(found) : null;
        },
      },
    [own, cited],
  );
  return { citing, stale: staleIn(cited) };
}

function boundNow({ state, now }: CitedTable): BoundNow {
  if (state === "gone") return { now: null, note: t("projects.theSheetIsGoneThisIs") };
  return state === "stale" ? { now, note: t("projects.theSheetHasChangedSinceThe") } : { now: null, note: null };
}

function sourceOf({ document_name, path, page }: Citation): string {
  const where = page === null ? path : t("projects.pagePage", { page });
  return document_name === null ? t("projects.fromADocumentThatIsGone") : t("projects.fromDocumentNameWhere", { documentName: document_name, where });
}

import { useState } from "react";

import { Pager } from "@/components/Pager";
import { t } from "@/lib/i18n";
import type { Spot } from "@/lib/places";

import { PageText } from "./TextPanel";
import { usePageWords } from "./words";

interface TextOnlyProps {
  documentId: string;
  reading: string | null;
  pageCount: number;
  lit: Spot[];
}

/** A document of which there is no picture: its text, a page at a time. It turns to the page that is lit. */
export function TextOnly({ documentId, reading, pageCount, lit }: TextOnlyProps) {
  const [page, setPage] = useState(1);
  const wanted = lit[0]?.page;
  const [followed, setFollowed] = useState(wanted);
  if (wanted !== followed) {
    setFollowed(wanted);
    if (wanted) setPage(wanted);
  }
  const words = usePageWords(documentId, page, reading);
  return (
    <div className="flex flex-col gap-2 p-4">
      {pageCount > 1 && <Pager what={t("common.theText")} page={page} size={1} total={pageCount} onPage={setPage} />}
      <div className="rounded-md border bg-surface p-4">{words && <PageText page={words} lit={lit} />}</div>
    </div>
  );
}

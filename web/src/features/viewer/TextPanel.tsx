import { Copy } from "lucide-react";

import { Button } from "@/components/Button";
import { t } from "@/lib/i18n";
import type { Spot } from "@/lib/places";
import { toast } from "@/lib/toasts";

import { usePageWords } from "./words";

import type { Word } from "./find";
import type { TextPage } from "./words";

interface TextPanelProps {
  documentId: string;
  reading: string | null;
  page: number;
  lit: Spot[];
}

/** The text of the page that is in view, as it was read; words that are lit there are lit here. */
export function TextPanel({ documentId, reading, page, lit }: TextPanelProps) {
  const words = usePageWords(documentId, page, reading);
  const copy = async (text: TextPage): Promise<void> => {
    await navigator.clipboard.writeText(text.lines.map((line) => line.map(([word]) => word).join(" ")).join("\n"));
    toast(t("viewer.theTextOfPagePageIs", { page }));
  };
  return (
    <section
      aria-label={t("viewer.textOfPagePage", { page })}
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto bg-surface focus-visible:-outline-offset-2"
    >
      <div className="sticky top-0 flex h-9 items-center justify-between border-b bg-surface px-3">
        <h2 className="text-sm">{t("viewer.textOfPagePage", { page })}</h2>
        {words && words.lines.length > 0 && (
          <Button small variant="quiet" icon={Copy} onClick={() => void copy(words)}>
            {t("common.copy")}
          </Button>
        )}
      </div>
      <div className="p-3 text-sm">
        {words?.note && <p className="mb-2 text-muted">{words.note}</p>}
        {words ? <PageText page={words} lit={lit} /> : <p className="text-muted">{waiting(reading)}</p>}
      </div>
    </section>
  );
}

function waiting(reading: string | null): string {
  return reading === null ? t("viewer.theTextOfThisDocumentIs") : t("viewer.loadingTheTextOfThisPage");
}

/** Lines of words as text. */
export function PageText({ page, lit }: { page: TextPage; lit: Spot[] }) {
  if (!page.lines.length) return <p className="text-muted">{t("viewer.thereIsNoTextOnThis")}</p>;
  const here = lit.filter((spot) => spot.page === page.number);
  return page.lines.map((line, index) => (
    <p key={index} className="wrap-anywhere">
      {line.map((word, position) => (
        <span key={position}>
          {here.some((spot) => covers(spot, word)) ? <mark className="rounded-xs bg-light-up text-ink">{word[0]}</mark> : word[0]}{" "}
        </span>
      ))}
    </p>
  ));
}

function covers({ box }: Spot, [, left, top, right, bottom]: Word): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
}

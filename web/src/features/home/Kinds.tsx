import { Link } from "@tanstack/react-router";

import { Chart } from "@/components/Chart";
import { RelativeTime } from "@/components/RelativeTime";
import type { HomeKind } from "@/lib/api/home";
import { usePicture } from "@/lib/api/pictures";
import { cx } from "@/lib/cx";
import { percent, words } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useInView } from "@/lib/inView";
import { useOrgPath } from "@/lib/organization";

import { amountText, monthsOf, sureShare, totalOf } from "./figures";

const CHART_HEIGHT = 44;

/** A card for each kind of document. */
export function Kinds({ kinds }: { kinds: readonly HomeKind[] }) {
  if (!kinds.length) return null;
  return (
    <section aria-labelledby="kinds" className="flex flex-col gap-2">
      <h2 id="kinds" className="text-base">
        {t("home.kinds")}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3">
        {kinds.map((kind) => (
          <KindCard key={kind.prompt_id} kind={kind} />
        ))}
      </ul>
    </section>
  );
}

function KindCard({ kind }: { kind: HomeKind }) {
  const orgPath = useOrgPath();
  const [card, isSeen] = useInView<HTMLLIElement>();
  const points = monthsOf(kind);
  const what = kind.amount ? words(kind.amount) : t("common.documents");
  return (
    <li ref={card} className="flex flex-col gap-3 rounded-lg border bg-surface p-3">
      <div className="flex items-baseline justify-between gap-2">
        <h3 className="min-w-0 text-base font-medium">
          <Link to={orgPath(`sheets/${kind.prompt_id}`)} className="wrap-anywhere hover:underline">
            {kind.name}
          </Link>
        </h3>
        {kind.newest[0] && (
          <p className="shrink-0 text-sm text-muted">
            <RelativeTime date={kind.newest[0].upload_date} />
          </p>
        )}
      </div>
      <ul className="grid grid-cols-4 gap-2">
        {kind.newest.map((document) => (
          <li key={document.document_id}>
            <Link to={orgPath(`documents/${document.document_id}`)} aria-label={document.name} title={document.name} className="block">
              <SmallPage documentId={document.document_id} isSeen={isSeen} />
            </Link>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm tabular-nums">
        <span className="whitespace-nowrap">{t("home.countDocuments", { count: kind.documents })}</span>
        <span className="whitespace-nowrap">{t("home.shareSure", { share: percent(sureShare(kind)) })}</span>
        {kind.to_check > 0 && (
          <Link to={orgPath(`review/${kind.prompt_id}`)} className="rounded-sm bg-warm-soft px-1 whitespace-nowrap text-warm hover:underline">
            {t("home.countToCheck", { count: kind.to_check })}
          </Link>
        )}
      </p>
      {points.length > 0 && (
        <div>
          <p className="flex items-baseline justify-between gap-2 text-sm text-muted">
            <span>{t("home.whatByMonth", { what })}</span>
            {kind.amount && <span className="whitespace-nowrap text-ink tabular-nums">{amountText(totalOf(kind), kind.currency)}</span>}
          </p>
          <Chart
            kind="bars"
            title={t("home.whatOfNameByMonth", { what, name: kind.name })}
            told={t("home.whatOfNameByMonth", { what, name: kind.name })}
            heads={[t("home.month"), what]}
            points={points}
            write={(value) => (kind.amount ? amountText(value, kind.currency) : String(value))}
            height={CHART_HEIGHT}
            left={0}
          />
        </div>
      )}
    </li>
  );
}

/** The first page, small; an empty frame as long as there is no picture. */
function SmallPage({ documentId, isSeen }: { documentId: string; isSeen: boolean }) {
  const { source } = usePicture(documentId, "thumbnail", { enabled: isSeen });
  return (
    <span className={cx("block aspect-[3/4] overflow-hidden rounded-xs border hover:border-accent", source ? "bg-paper" : "bg-sunken")}>
      {source && <img src={source} alt="" className="size-full object-cover object-top" />}
    </span>
  );
}

import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";

import { ButtonLink } from "@/components/ButtonLink";
import { MergedLine } from "@/components/MergeOffers";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { Pager } from "@/components/Pager";
import { PaperBelow } from "@/components/PaperBelow";
import { Split } from "@/components/Split";
import { Thread } from "@/components/Thread";
import { Grid } from "@/features/sheets/Grid";
import type { Spot } from "@/features/sheets/Grid";
import { RunLine } from "@/features/sheets/RunOnNew";
import { ExportMenu, SheetTabs, Toolbar } from "@/features/sheets/Toolbar";
import { sumOf, tallyOfRows } from "@/features/sheets/cells";
import { PAGE_SIZE, parseSearch, toQuery, writeSearch } from "@/features/sheets/search";
import type { SheetSearch } from "@/features/sheets/search";
import { useCellChanges, useSheet } from "@/lib/api/sheets";
import type { Sheet } from "@/lib/api/sheets";
import { useEarned } from "@/lib/api/spreads";
import { t } from "@/lib/i18n";
import { tallyWords } from "@/lib/known";
import { useOrgPath } from "@/lib/organization";
import { useSettled } from "@/lib/settled";
import { checkWords } from "@/lib/thread";
import { useTitle } from "@/lib/title";
import { useIsNarrow } from "@/lib/width";

import { CellOnPage } from "./CellOnPage";

const SpreadNote = lazy(() => import("@/components/SpreadNote"));
const REST_MS = 120;

/** All results of one prompt, with the page of the value that is looked at beside them. */
export default function SheetPage() {
  const { promptId = "" }: { promptId?: string } = useParams({ strict: false });
  const [search, change] = useSheetSearch();
  const { data: sheet, error, isPending, refetch } = useSheet(promptId, toQuery(search));
  useTitle(sheet?.name ?? t("common.sheet"));
  return (
    <>
      {error && <ErrorNote className="m-4" what={t("sheets.theSheetCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading what={t("sheets.theSheet")} />}
      {sheet && <Opened sheet={sheet} search={search} onSearch={change} />}
    </>
  );
}

function Opened({ sheet, search, onSearch }: { sheet: Sheet; search: SheetSearch; onSearch: (change: Partial<SheetSearch>) => void }) {
  const orgPath = useOrgPath();
  const isNarrow = useIsNarrow();
  const [spot, setSpot] = useState<Spot | null>(null);
  const { edit, verify } = useCellChanges();
  const ofTab = search.unfold ? sheet.columns.filter(({ within }) => within) : sheet.columns;
  const columns = ofTab.filter((column) => !column.hidden);
  const shown = useSettled(spot, REST_MS);
  const row = shown ? sheet.rows[shown.row] : undefined;
  const looked = shown ? columns[shown.column] : undefined;
  const cell = row?.cells[sheet.columns.findIndex(({ path }) => path === looked?.path)];
  const isNarrowed = search.find !== "" || search.filters.length > 0;

  const grid = sheet.rows.length ? (
    <Grid
      sheet={sheet}
      columns={columns}
      search={search}
      onSearch={onSearch}
      spot={spot}
      onSpot={setSpot}
      onEdit={(place, value, places) => edit.mutateAsync({ ...place, value, places })}
      onVerify={(place, verified) => verify.mutate({ ...place, verified })}
    />
  ) : (
    <EmptyState title={isNarrowed ? t("common.noDocumentMatches") : t("sheets.thisPromptHasNoResultsYet")} />
  );
  const isDone = sheet.to_review === 0 && sheet.total_count > 0 && !isNarrowed;
  const sum = isDone ? sumOf(sheet) : null;
  const end = isDone && (
    <>
      <span role="status" className="text-sm font-medium">
        {t("thread.done", { name: sheet.name, count: sheet.total_count, sum: sum ? `, ${sum}` : "" })}
      </span>
      <ExportMenu small sheet={sheet} search={search} />
    </>
  );
  return (
    <>
      <Thread end={end || <CheckNext sheet={sheet} />} />
      <header className="flex flex-wrap items-baseline gap-x-3 border-b bg-surface px-3 py-2 sm:px-4">
        <h1 className="flex min-w-0 gap-2 text-base font-normal">
          <Link to={orgPath("sheets")} className="text-muted hover:underline">
            {t("common.sheets")}
          </Link>
          <span aria-hidden className="text-muted">
            /
          </span>
          <span className="truncate font-medium">{sheet.name}</span>
        </h1>
        <p className="text-sm text-muted">
          {t("sheets.countDocument", { totalCount: sheet.total_count })}
          {sheet.rows.length > 0 && `, ${tallyWords(tallyOfRows(sheet.rows))}${sheet.total_count > PAGE_SIZE ? ` ${t("sheets.onThisPage")}` : ""}`}
        </p>
        <EarnedLine promptId={sheet.prompt_id} />
        <MergedLine promptId={sheet.prompt_id} />
        <Link to={orgPath(`prompts/${sheet.prompt_id}/accuracy`)} className="flex min-h-6 items-center text-sm text-accent hover:underline">
          {t("common.accuracy")}
        </Link>
      </header>
      <RunLine promptId={sheet.prompt_id} />
      <SheetTabs sheet={sheet} search={search} onSearch={onSearch} />
      <Toolbar sheet={sheet} columns={ofTab} search={search} onSearch={onSearch} hasExport={!isDone} />
      <Suspense>
        <SpreadNote promptRevid={sheet.prompt_revid} className="m-2" />
      </Suspense>
      {verify.error && <ErrorNote className="m-2" what={t("sheets.theValueCouldNotBeVerified")} error={verify.error} onDismiss={() => verify.reset()} />}
      {isNarrow ? (
        <>
          <div className="flex min-h-0 flex-1 flex-col low:h-[60dvh] low:flex-none">{grid}</div>
          {row && cell && (
            <PaperBelow>
              <CellOnPage key={row.document_id} documentId={row.document_id} promptRevid={row.prompt_revid} path={cell.path} isClose />
            </PaperBelow>
          )}
        </>
      ) : (
        <Split
          name="sheet"
          label={t("sheets.widthOfTheSheet")}
          initial={62}
          className="flex-1"
          left={grid}
          right={
            row && cell ? (
              <CellOnPage key={row.document_id} documentId={row.document_id} promptRevid={row.prompt_revid} path={cell.path} />
            ) : (
              <EmptyState title={t("sheets.chooseAValueToSeeIt")} />
            )
          }
        />
      )}
      <div className="border-t bg-surface px-3 py-1 sm:px-4">
        <Pager what={t("sheets.theSheet")} page={search.page} size={PAGE_SIZE} total={sheet.total_count} onPage={(page) => onSearch({ page })} />
      </div>
    </>
  );
}

/** What corrections have earned, once they have. */
function EarnedLine({ promptId }: { promptId: string }) {
  const { data } = useEarned(promptId);
  if (!data?.values) return null;
  return <p className="text-sm text-muted">{t("spread.earned", { corrections: data.corrections, values: data.values })}</p>;
}

/** Leads to the values of this sheet that nobody has checked. */
function CheckNext({ sheet: { prompt_id: promptId, to_review: waiting, to_check: values } }: { sheet: Sheet }) {
  const orgPath = useOrgPath();
  if (!waiting) return null;
  return (
    <ButtonLink variant="primary" small to={orgPath(`review/${promptId}`)}>
      {checkWords({ waiting, values })}
    </ButtonLink>
  );
}

function useSheetSearch(): [SheetSearch, (change: Partial<SheetSearch>) => void] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => parseSearch(raw), [raw]);
  const change = useCallback(
    (part: Partial<SheetSearch>) =>
      void navigate({ to: ".", search: writeSearch({ ...search, page: 1, ...part }), replace: !("page" in part) }),
    [navigate, search],
  );
  return [search, change];
}

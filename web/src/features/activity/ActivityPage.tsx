import { useState } from "react";

import { Button } from "@/components/Button";
import { Select } from "@/components/Field";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Pager } from "@/components/Pager";
import { Table, Th } from "@/components/Table";
import { t } from "@/lib/i18n";
import { useRights } from "@/lib/rights";

import { DocumentFilter } from "./DocumentFilter";
import { EntryRows } from "./EntryRows";
import { PAGE_SIZE, useAudit } from "./useAudit";

import type { Filters } from "./useAudit";

const ALL: Filters = { userId: "", document: null, page: 1 };

/** What the agent did, for administrators: who asked, who decided, what ran, what it cost. */
export default function ActivityPage() {
  const { isAdmin } = useRights();
  if (isAdmin) return <Activity />;
  return (
    <>
      <PageHeader title={t("common.activity")} />
      <EmptyState title={t("activity.onlyAdministratorsOfTheOrganisationSee")} />
    </>
  );
}

function Activity() {
  const [filters, setFilters] = useState(ALL);
  const { data, error, refetch, isPlaceholderData } = useAudit(filters);
  const [people, setPeople] = useState<Record<string, string>>({});
  const unseen = (data?.entries ?? []).filter((entry) => !(entry.user_id in people));
  if (unseen.length) setPeople({ ...people, ...Object.fromEntries(unseen.map((entry) => [entry.user_id, entry.user_name ?? t("activity.somebody")])) });
  const change = (part: Partial<Filters>): void => setFilters({ ...filters, page: 1, ...part });
  const isFiltered = filters.userId !== "" || filters.document !== null;
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={t("common.activity")}>
        <Select aria-label={t("activity.whoAsked")} className="!w-auto max-w-48" value={filters.userId} onChange={(event) => change({ userId: event.target.value })}>
          <option value="">{t("activity.everybody")}</option>
          {Object.entries(people).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <DocumentFilter document={filters.document} onChange={(document) => change({ document })} />
        {isFiltered && (
          <Button variant="quiet" onClick={() => setFilters(ALL)}>
            {t("common.showAll")}
          </Button>
        )}
      </PageHeader>
      <p className="text-muted">{t("activity.everythingThatTheAgentRanOr")}</p>
      {error && <ErrorNote what={t("activity.theActivityCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what={t("activity.theActivity")} />}
      {data?.entries.length === 0 && (
        <EmptyState title={isFiltered ? t("activity.nothingMatchesTheseFilters") : t("activity.theAgentHasDoneNothingYet")} />
      )}
      {data && data.entries.length > 0 && (
        <div aria-busy={isPlaceholderData}>
          <Table label={t("common.activity")}>
            <thead>
              <tr>
                <Th>{t("common.when")}</Th>
                <Th>{t("activity.what")}</Th>
                <Th className="max-md:hidden">{t("activity.documentOrProject")}</Th>
                <Th className="max-lg:hidden">{t("activity.askedBy")}</Th>
                <Th className="max-sm:hidden">{t("activity.outcome")}</Th>
                <Th className="w-9">
                  <span className="sr-only">{t("activity.details")}</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {data.entries.map((entry) => (
                <EntryRows key={`${entry.turn_id} ${entry.seq}`} entry={entry} />
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {data && <Pager what={t("activity.activity2")} page={filters.page} size={PAGE_SIZE} total={data.total_count} onPage={(page) => setFilters({ ...filters, page })} />}
    </div>
  );
}

import { useState } from "react";

import { Button } from "@/components/Button";
import { Select } from "@/components/Field";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Pager } from "@/components/Pager";
import { Table, Th } from "@/components/Table";
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
      <PageHeader title="Activity" />
      <EmptyState title="Only administrators of the organisation see what the agent did." />
    </>
  );
}

function Activity() {
  const [filters, setFilters] = useState(ALL);
  const { data, error, refetch, isPlaceholderData } = useAudit(filters);
  const [people, setPeople] = useState<Record<string, string>>({});
  const unseen = (data?.entries ?? []).filter((entry) => !(entry.user_id in people));
  if (unseen.length) setPeople({ ...people, ...Object.fromEntries(unseen.map((entry) => [entry.user_id, entry.user_name ?? "Somebody"])) });
  const change = (part: Partial<Filters>): void => setFilters({ ...filters, page: 1, ...part });
  const isFiltered = filters.userId !== "" || filters.document !== null;
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title="Activity">
        <Select aria-label="Who asked" className="!w-auto max-w-48" value={filters.userId} onChange={(event) => change({ userId: event.target.value })}>
          <option value="">Everybody</option>
          {Object.entries(people).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <DocumentFilter document={filters.document} onChange={(document) => change({ document })} />
        {isFiltered && (
          <Button variant="quiet" onClick={() => setFilters(ALL)}>
            Show all
          </Button>
        )}
      </PageHeader>
      <p className="text-muted">Everything that the agent ran or was refused, the newest first. Open a row to see who decided and with which arguments.</p>
      {error && <ErrorNote what="The activity cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the activity" />}
      {data?.entries.length === 0 && (
        <EmptyState title={isFiltered ? "Nothing matches these filters." : "The agent has done nothing yet. Ask it something on a document's page."} />
      )}
      {data && data.entries.length > 0 && (
        <div aria-busy={isPlaceholderData}>
          <Table label="Activity">
            <thead>
              <tr>
                <Th>When</Th>
                <Th>What</Th>
                <Th className="max-md:hidden">Document or project</Th>
                <Th className="max-lg:hidden">Asked by</Th>
                <Th className="max-sm:hidden">Outcome</Th>
                <Th className="w-9">
                  <span className="sr-only">Details</span>
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
      {data && <Pager what="activity" page={filters.page} size={PAGE_SIZE} total={data.total_count} onPage={(page) => setFilters({ ...filters, page })} />}
    </div>
  );
}

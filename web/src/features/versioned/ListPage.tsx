import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";

import { Button } from "@/components/Button";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Pager } from "@/components/Pager";
import { SearchField } from "@/components/SearchField";
import { Table, Th } from "@/components/Table";
import type { Sorting } from "@/components/Table";
import { useVersionedList } from "@/lib/api/versioned";
import type { Kind, Versioned } from "@/lib/api/versioned";
import { words } from "@/lib/format";
import { LIST_SIZE, useListSearch } from "@/lib/listSearch";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";

import type { ReactNode } from "react";

interface ListPageProps<T extends Versioned, Body> {
  kind: Kind<T, Body>;
  /** What such things are for. */
  about: string;
  /** The fields by which the list can be sorted. */
  sortable: readonly string[];
  /** The headings between version and date. */
  headings: (sort: { sorting: Sorting; onSort: (sorting: Sorting) => void }) => ReactNode;
  /** All cells of a thing. */
  row: (thing: T) => ReactNode;
}

const NEWEST_FIRST = { field: "created_at", direction: "desc" } as const;

/** All things of a kind, each as its newest version. */
export function ListPage<T extends Versioned, Body>({ kind, about, sortable, headings, row }: ListPageProps<T, Body>) {
  const { noun } = kind;
  const nouns = `${noun}s`;
  const title = words(nouns);
  const [search, change] = useListSearch(sortable, NEWEST_FIRST);
  const list = useVersionedList(kind, search);
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const create = (): void => void navigate({ to: orgPath(`${nouns}/new`) });
  useShortcut({ keys: "n", does: `Create a ${noun}`, group: title }, create);
  const isEmpty = list.data?.total === 0 && !search.find;
  const sort = { sorting: search.sorting, onSort: (sorting: Sorting) => change({ sorting }) };
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={title}>
        <Button variant="primary" icon={Plus} onClick={create}>
          Create {noun}
        </Button>
      </PageHeader>
      <p className="text-muted">{about}</p>
      {list.error && <ErrorNote what={`The ${nouns} cannot be shown.`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading what={`your ${nouns}`} />}
      {isEmpty && <EmptyState title={`There are no ${nouns} yet. Create one, or let the agent make one from a document.`} />}
      {list.data && !isEmpty && (
        <>
          <SearchField label={`Search ${nouns}`} group={title} value={search.find} onFind={(find) => change({ find })} />
          {list.data.items.length ? (
            <Table label={title}>
              <thead>
                <tr>
                  <Th field="name" {...sort}>
                    Name
                  </Th>
                  <Th>Version</Th>
                  {headings(sort)}
                  <Th field="created_at" {...sort} className="max-md:hidden">
                    Changed
                  </Th>
                </tr>
              </thead>
              <tbody>{list.data.items.map(row)}</tbody>
            </Table>
          ) : (
            <EmptyState title={`No ${noun} matches.`} />
          )}
          <Pager what={nouns} page={search.page} size={LIST_SIZE} total={list.data.total} onPage={(page) => change({ page })} />
        </>
      )}
    </div>
  );
}

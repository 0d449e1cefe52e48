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
import { t } from "@/lib/i18n";
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
  const title = t("versioned.nouns", { noun });
  const [search, change] = useListSearch(sortable, NEWEST_FIRST);
  const list = useVersionedList(kind, search);
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const create = (): void => void navigate({ to: orgPath(`${nouns}/new`) });
  useShortcut({ keys: "n", does: t("versioned.createANoun", { noun }), group: title }, create);
  const isEmpty = list.data?.total === 0 && !search.find;
  const sort = { sorting: search.sorting, onSort: (sorting: Sorting) => change({ sorting }) };
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={title}>
        <Button variant="primary" icon={Plus} onClick={create}>
          {t("versioned.createNoun", { noun })}
        </Button>
      </PageHeader>
      <p className="text-muted">{about}</p>
      {list.error && <ErrorNote what={t("versioned.theNounsCannotBeShown", { noun })} error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading what={t("versioned.yourNouns", { noun })} />}
      {isEmpty && <EmptyState title={t("versioned.thereAreNoNounsYetCreate", { noun })} />}
      {list.data && !isEmpty && (
        <>
          <SearchField label={t("versioned.searchNouns", { noun })} group={title} value={search.find} onFind={(find) => change({ find })} />
          {list.data.items.length ? (
            <Table label={title}>
              <thead>
                <tr>
                  <Th field="name" {...sort}>
                    {t("common.name")}
                  </Th>
                  <Th>{t("common.version")}</Th>
                  {headings(sort)}
                  <Th field="created_at" {...sort} className="max-md:hidden">
                    {t("versioned.changed")}
                  </Th>
                </tr>
              </thead>
              <tbody>{list.data.items.map(row)}</tbody>
            </Table>
          ) : (
            <EmptyState title={t("versioned.noNounMatches", { noun })} />
          )}
          <Pager what={t("versioned.nounsInSentence", { noun })} page={search.page} size={LIST_SIZE} total={list.data.total} onPage={(page) => change({ page })} />
        </>
      )}
    </div>
  );
}

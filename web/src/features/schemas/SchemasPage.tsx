import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";

import { Button } from "@/components/Button";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Pager } from "@/components/Pager";
import { RelativeTime } from "@/components/RelativeTime";
import { SearchField } from "@/components/SearchField";
import { Table, Td, Th, Tr } from "@/components/Table";
import { useNameOf } from "@/lib/api/members";
import type { Prompt } from "@/lib/api/prompts";
import type { Schema } from "@/lib/api/schemas";
import { plural } from "@/lib/format";
import { LIST_SIZE, useListSearch } from "@/lib/listSearch";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";

import { countFields } from "./model/compare";
import { useSchemaList, useUsers } from "./useSchemas";

const SORTABLE = ["name", "created_at"];
const NEWEST_FIRST = { field: "created_at", direction: "desc" } as const;

export default function SchemasPage() {
  const [search, change] = useListSearch(SORTABLE, NEWEST_FIRST);
  const list = useSchemaList(search);
  const users = useUsers();
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const create = (): void => void navigate({ to: orgPath("schemas/new") });
  useShortcut({ keys: "n", does: "Create a schema", group: "Schemas" }, create);
  const isEmpty = list.data?.total_count === 0 && !search.find;
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title="Schemas">
        <Button variant="primary" icon={Plus} onClick={create}>
          Create schema
        </Button>
      </PageHeader>
      <p className="text-muted">A schema says which fields an extraction has. A prompt fills it.</p>
      {list.error && <ErrorNote what="The schemas cannot be shown." error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading what="your schemas" />}
      {isEmpty && <EmptyState title="There are no schemas yet. Create one, or let the agent make one from a document." />}
      {list.data && !isEmpty && (
        <>
          <SearchField label="Search schemas" group="Schemas" value={search.find} onFind={(find) => change({ find })} />
          {list.data.schemas.length ? (
            <Table label="Schemas">
              <thead>
                <tr>
                  <Th field="name" sorting={search.sorting} onSort={(sorting) => change({ sorting })}>
                    Name
                  </Th>
                  <Th>Version</Th>
                  <Th>Fields</Th>
                  <Th className="max-sm:hidden">Used by</Th>
                  <Th
                    field="created_at"
                    sorting={search.sorting}
                    onSort={(sorting) => change({ sorting })}
                    className="max-md:hidden"
                  >
                    Changed
                  </Th>
                </tr>
              </thead>
              <tbody>
                {list.data.schemas.map((schema) => (
                  <SchemaRow key={schema.schema_id} schema={schema} users={users?.get(schema.schema_id) ?? (users ? [] : null)} />
                ))}
              </tbody>
            </Table>
          ) : (
            <EmptyState title="No schema matches." />
          )}
          <Pager what="schemas" page={search.page} size={LIST_SIZE} total={list.data.total_count} onPage={(page) => change({ page })} />
        </>
      )}
    </div>
  );
}

function SchemaRow({ schema, users }: { schema: Schema; users: Prompt[] | null }) {
  const orgPath = useOrgPath();
  const nameOf = useNameOf();
  return (
    <Tr>
      <Td>
        <Link to={orgPath(`schemas/${schema.schema_id}`)} className="font-medium hover:underline">
          {schema.name}
        </Link>
      </Td>
      <Td>{schema.schema_version}</Td>
      <Td>{countFields(schema.response_format)}</Td>
      <Td className="max-w-72 truncate max-sm:hidden">{users && <UsedBy users={users} />}</Td>
      <Td className="text-muted max-md:hidden">
        <RelativeTime date={schema.created_at} /> {nameOf(schema.created_by) && `by ${nameOf(schema.created_by)}`}
      </Td>
    </Tr>
  );
}

function UsedBy({ users }: { users: Prompt[] }) {
  if (!users.length) return <span className="text-muted">no prompt</span>;
  const names = users.map((prompt) => prompt.name);
  return (
    <span title={names.join(", ")}>{names.length > 2 ? `${names.slice(0, 2).join(", ")} and ${plural(names.length - 2, "other")}` : names.join(", ")}</span>
  );
}

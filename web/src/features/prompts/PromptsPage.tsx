import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";

import { Button } from "@/components/Button";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Pager } from "@/components/Pager";
import { RelativeTime } from "@/components/RelativeTime";
import { SearchField } from "@/components/SearchField";
import { Table, Td, Th, Tr } from "@/components/Table";
import { TagChip } from "@/components/TagChip";
import type { Prompt } from "@/lib/api/prompts";
import { useAllSchemas } from "@/lib/api/schemas";
import { useTags } from "@/lib/api/tags";
import { LIST_SIZE, useListSearch } from "@/lib/listSearch";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";

import { usePromptList } from "./usePrompts";

const SORTABLE = ["name", "model", "created_at"];
const NEWEST_FIRST = { field: "created_at", direction: "desc" } as const;

export default function PromptsPage() {
  const [search, change] = useListSearch(SORTABLE, NEWEST_FIRST);
  const list = usePromptList(search);
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const create = (): void => void navigate({ to: orgPath("prompts/new") });
  useShortcut({ keys: "n", does: "Create a prompt", group: "Prompts" }, create);
  const isEmpty = list.data?.total_count === 0 && !search.find;
  const sort = { sorting: search.sorting, onSort: (sorting: typeof search.sorting) => change({ sorting }) };
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title="Prompts">
        <Button variant="primary" icon={Plus} onClick={create}>
          Create prompt
        </Button>
      </PageHeader>
      <p className="text-muted">A prompt says what to look for, into which schema. It runs on documents that share a tag with it.</p>
      {list.error && <ErrorNote what="The prompts cannot be shown." error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading what="your prompts" />}
      {isEmpty && <EmptyState title="There are no prompts yet. Create one, or let the agent make one from a document." />}
      {list.data && !isEmpty && (
        <>
          <SearchField label="Search prompts" group="Prompts" value={search.find} onFind={(find) => change({ find })} />
          {list.data.prompts.length ? (
            <Table label="Prompts">
              <thead>
                <tr>
                  <Th field="name" {...sort}>
                    Name
                  </Th>
                  <Th>Version</Th>
                  <Th>Schema</Th>
                  <Th className="max-md:hidden">Tags</Th>
                  <Th field="model" {...sort} className="max-lg:hidden">
                    Runs on
                  </Th>
                  <Th field="created_at" {...sort} className="max-md:hidden">
                    Changed
                  </Th>
                </tr>
              </thead>
              <tbody>
                {list.data.prompts.map((prompt) => (
                  <PromptRow key={prompt.prompt_id} prompt={prompt} />
                ))}
              </tbody>
            </Table>
          ) : (
            <EmptyState title="No prompt matches." />
          )}
          <Pager what="prompts" page={search.page} size={LIST_SIZE} total={list.data.total_count} onPage={(page) => change({ page })} />
        </>
      )}
    </div>
  );
}

function PromptRow({ prompt }: { prompt: Prompt }) {
  const orgPath = useOrgPath();
  const { data: schemas } = useAllSchemas();
  const { data: tags = [] } = useTags();
  const schema = schemas?.find((item) => item.schema_id === prompt.schema_id);
  const isOld = schema && prompt.schema_version !== null && prompt.schema_version < schema.schema_version;
  return (
    <Tr>
      <Td className="max-w-72">
        <Link to={orgPath(`prompts/${prompt.prompt_id}`)} className="block truncate font-medium hover:underline">
          {prompt.name}
        </Link>
      </Td>
      <Td>{prompt.prompt_version}</Td>
      <Td className="max-w-56 truncate">
        {schema ? (
          <>
            <Link to={orgPath(`schemas/${schema.schema_id}`)} className="hover:underline">
              {schema.name} v{prompt.schema_version}
            </Link>
            {isOld && <span className="text-muted"> (newest is v{schema.schema_version})</span>}
          </>
        ) : (
          <span className="text-muted">none</span>
        )}
      </Td>
      <Td className="max-md:hidden">
        <span className="flex flex-wrap gap-1">
          {tags
            .filter((tag) => prompt.tag_ids.includes(tag.id))
            .map((tag) => (
              <TagChip key={tag.id} name={tag.name} color={tag.color} />
            ))}
        </span>
      </Td>
      <Td className="max-lg:hidden">{prompt.effective_model}</Td>
      <Td className="text-muted max-md:hidden">
        <RelativeTime date={prompt.created_at} />
      </Td>
    </Tr>
  );
}

import { useCallback, useState } from "react";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Pager } from "@/components/Pager";
import { useTags } from "@/lib/api/tags";
import { useOrganization } from "@/lib/organization";

import { BulkBar } from "./BulkBar";
import { DocumentTable } from "./DocumentTable";
import { DropArea } from "./DropArea";
import { EmptyDocuments } from "./EmptyDocuments";
import { Filters } from "./Filters";
import { UploadControls } from "./UploadControls";
import { UploadList } from "./UploadList";
import { isNarrowed, PAGE_SIZE } from "./search";
import { upload, useUploads } from "./uploads";
import { useDocuments, useHighlights, useListSearch, useRefreshDocuments } from "./useDocuments";

const NOTHING: ReadonlySet<string> = new Set();

export default function DocumentsPage() {
  const { id } = useOrganization();
  const [search, changeSearch] = useListSearch();
  const list = useDocuments(search);
  const { data: tags = [] } = useTags();
  const documents = list.data?.documents ?? [];
  const highlights = useHighlights(documents);
  const uploads = useUploads(id);
  const refresh = useRefreshDocuments();
  const [selected, setSelected] = useState(NOTHING);
  const [newTags, setNewTags] = useState<string[]>([]);
  const sendFiles = useCallback(
    (files: File[]) => upload(id, files, newTags, () => void refresh()),
    [id, newTags, refresh],
  );

  const chosen = documents.filter((document) => selected.has(document.id));
  const tagNames = tags.filter((tag) => newTags.includes(tag.id)).map((tag) => tag.name);
  const isEmpty = list.data?.total_count === 0 && !isNarrowed(search);

  return (
    <div className="flex flex-col gap-3">
      <PageHeader title="Documents">
        {list.data && !isEmpty && <UploadControls onFiles={sendFiles} tagIds={newTags} onTagIds={setNewTags} />}
      </PageHeader>
      <DropArea onFiles={sendFiles} note={tagNames.length ? `They get the tags ${tagNames.join(", ")}` : undefined} />
      <UploadList uploads={uploads} />
      {list.error && (
        <ErrorNote what="The documents cannot be shown." error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Loading what="your documents" />}
      {isEmpty && <EmptyDocuments onFiles={sendFiles} onAdded={() => void refresh()} />}
      {list.data && !isEmpty && (
        <>
          <Filters search={search} onChange={changeSearch} />
          {chosen.length > 0 && <BulkBar documents={chosen} tags={tags} onClear={() => setSelected(NOTHING)} />}
          {documents.length > 0 ? (
            <DocumentTable
              documents={documents}
              tags={tags}
              highlights={highlights}
              sorting={search.sorting}
              onSort={(sorting) => changeSearch({ sorting })}
              selected={selected}
              onSelected={setSelected}
            />
          ) : (
            <EmptyState title="No document matches." />
          )}
          <Pager
            what="documents"
            page={search.page}
            size={PAGE_SIZE}
            total={list.data.total_count}
            onPage={(page) => changeSearch({ page })}
          />
        </>
      )}
    </div>
  );
}

import { useState } from "react";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Pager } from "@/components/Pager";
import { Thread } from "@/components/Thread";
import { useFacts } from "@/lib/api/documents";
import { useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";

import { AutoCreate } from "./AutoCreate";
import { BulkBar } from "./BulkBar";
import { DocumentTable } from "./DocumentTable";
import { DropArea } from "./DropArea";
import { EmptyDocuments } from "./EmptyDocuments";
import { Filters } from "./Filters";
import { FoundInside } from "./FoundInside";
import { SampleMenu } from "./SampleMenu";
import { UploadControls } from "./UploadControls";
import { UploadList } from "./UploadList";
import { isNarrowed, PAGE_SIZE } from "./search";
import { useDocuments, useListSearch } from "./useDocuments";
import { useUploading } from "./useUploading";

const NOTHING: ReadonlySet<string> = new Set();

export default function DocumentsPage() {
  const [search, changeSearch] = useListSearch();
  const list = useDocuments(search);
  const { data: tags = [] } = useTags();
  const documents = list.data?.documents ?? [];
  const facts = useFacts(documents);
  const { uploads, send, notes, tagIds, setTagIds, autoCreate, setAutoCreate, refresh } = useUploading();
  const [selected, setSelected] = useState(NOTHING);

  const chosen = documents.filter((document) => selected.has(document.id));
  const isEmpty = list.data?.total_count === 0 && !isNarrowed(search);

  return (
    <div className="flex flex-col gap-3">
      <div className="-mx-4 -mt-4 sm:-mx-6">
        <Thread />
      </div>
      <PageHeader title={t("common.documents")}>
        {list.data && !isEmpty && (
          <>
            <AutoCreate checked={autoCreate} onChange={setAutoCreate} />
            <UploadControls onFiles={send} tagIds={tagIds} onTagIds={setTagIds} />
            <SampleMenu autoCreate={autoCreate} onAdded={refresh} />
          </>
        )}
      </PageHeader>
      <DropArea onFiles={send} notes={notes} />
      <UploadList uploads={uploads} />
      {list.error && (
        <ErrorNote what={t("documents.theDocumentsCannotBeShown")} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Loading what={t("documents.yourDocuments")} />}
      {isEmpty && (
        <EmptyDocuments autoCreate={autoCreate} onFiles={send} onAdded={refresh}>
          <AutoCreate checked={autoCreate} onChange={setAutoCreate} />
        </EmptyDocuments>
      )}
      {list.data && !isEmpty && (
        <>
          <Filters search={search} onChange={changeSearch} />
          {chosen.length > 0 && <BulkBar documents={chosen} tags={tags} onClear={() => setSelected(NOTHING)} />}
          {documents.length > 0 ? (
            <DocumentTable
              documents={documents}
              tags={tags}
              facts={facts}
              sorting={search.sorting}
              onSort={(sorting) => changeSearch({ sorting })}
              selected={selected}
              onSelected={setSelected}
            />
          ) : search.find ? (
            <p className="text-sm text-muted">{t("documents.noDocumentHasThisInIts")}</p>
          ) : (
            <EmptyState title={t("common.noDocumentMatches")} />
          )}
          <Pager
            what={t("common.documents2")}
            page={search.page}
            size={PAGE_SIZE}
            total={list.data.total_count}
            onPage={(page) => changeSearch({ page })}
          />
          {search.find.trim() && !search.tags.length && !search.state && <FoundInside find={search.find} />}
        </>
      )}
    </div>
  );
}

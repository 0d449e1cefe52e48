import { ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Thread } from "@/components/Thread";
import { AutoCreate } from "@/features/documents/AutoCreate";
import { DropArea } from "@/features/documents/DropArea";
import { EmptyDocuments } from "@/features/documents/EmptyDocuments";
import { UploadControls } from "@/features/documents/UploadControls";
import { UploadList } from "@/features/documents/UploadList";
import { useUploading } from "@/features/documents/useUploading";
import { Accuracy } from "@/features/home/Accuracy";
import { ByDay } from "@/features/home/ByDay";
import { Kinds } from "@/features/home/Kinds";
import { Waiting } from "@/features/inbox/Waiting";
import { useHome } from "@/lib/api/home";
import { useDocumentCount } from "@/lib/api/thread";
import { t } from "@/lib/i18n";

/** Where an organisation opens: what waits, what there is of each kind, and how it has gone. On day one, where to drop files. */
export default function HomePage() {
  const files = useDocumentCount();
  const { uploads, send, notes, tagIds, setTagIds, autoCreate, setAutoCreate, refresh } = useUploading();
  const { data: home, error, refetch } = useHome(files !== 0);
  return (
    <div className="flex flex-col gap-4">
      <div className="-mx-4 -mt-4 sm:-mx-6">
        <Thread />
      </div>
      <PageHeader title={t("pages.home")}>
        {Boolean(files) && (
          <>
            <AutoCreate checked={autoCreate} onChange={setAutoCreate} />
            <UploadControls onFiles={send} tagIds={tagIds} onTagIds={setTagIds} />
          </>
        )}
      </PageHeader>
      <DropArea onFiles={send} notes={notes} />
      <UploadList uploads={uploads} />
      <Waiting />
      {files === 0 && (
        <EmptyDocuments autoCreate={autoCreate} onFiles={send} onAdded={refresh}>
          <AutoCreate checked={autoCreate} onChange={setAutoCreate} />
        </EmptyDocuments>
      )}
      {error && <ErrorNote what={t("home.homeCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!home && !error && files !== 0 && <Loading what={t("home.yourKinds")} />}
      {home && files !== 0 && (
        <>
          <Kinds kinds={home.kinds} />
          <Accuracy runs={home.accuracy} />
          <ByDay home={home} />
        </>
      )}
    </div>
  );
}

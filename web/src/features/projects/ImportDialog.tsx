import { useEffect, useRef, useState } from "react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { ErrorNote } from "@/components/Notes";
import type { Project } from "@/lib/api/projects";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { useImport } from "./useImport";

import type { PathedFile } from "./files";
import type { Existing, Import, ImportedFile } from "./useImport";

interface ImportDialogProps {
  project: Project;
  files: PathedFile[];
  onClose: () => void;
}

/** What files would become, before anything is written. */
export function ImportDialog({ project, files, onClose }: ImportDialogProps) {
  const { look, bringIn } = useImport(project.id);
  const [existing, setExisting] = useState<Existing>("skip");
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    look.mutate(files);
  }, [look, files]);
  const again = (): void => {
    bringIn.reset();
    look.mutate(files);
  };
  const seen = look.data;
  const count = seen ? toBeWritten(seen, existing) : 0;
  const write = async (): Promise<void> => {
    if (!seen) return;
    try {
      const done = await bringIn.mutateAsync({ files, existing, seen: seen.seen });
      toast(t("projects.importedCountDocument", { count: done.files.filter((file) => file.is_written).length }));
      onClose();
    } catch {
      // The mutation holds the error, and it is shown below.
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("projects.importIntoName", { name: project.name })}>
      <div className="flex flex-col gap-3">
        {look.isPending && <p role="status">{t("projects.lookingAtCountFile", { count: files.length })}</p>}
        {look.error && <ErrorNote what={t("projects.nothingWasImported")} error={look.error} onRetry={again} />}
        {bringIn.error && <ErrorNote what={t("projects.nothingWasImported")} error={bringIn.error} onRetry={again} />}
        {seen && !look.isPending && <Preview seen={seen} existing={existing} onExisting={setExisting} />}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            variant="primary"
            busy={bringIn.isPending && t("projects.importing")}
            disabledBecause={!seen || look.isPending ? t("projects.theFilesAreBeingChecked") : count === 0 && t("projects.thereIsNothingToImport")}
            onClick={() => void write()}
          >
            {count ? t("projects.importCountDocument", { count }) : t("projects.import")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function toBeWritten({ files }: Import, existing: Existing): number {
  return files.filter(({ outcome }) => outcome === "new" || (outcome === "exists" && existing === "version")).length;
}

interface PreviewProps {
  seen: Import;
  existing: Existing;
  onExisting: (existing: Existing) => void;
}

function Preview({ seen, existing, onExisting }: PreviewProps) {
  const changed = seen.files.filter(({ outcome }) => outcome === "exists").length;
  const order = ["refused", "exists", "new", "unchanged"];
  const files = [...seen.files].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  if (!files.length) return <p>{t("projects.thereAreNoFilesThatCan")}</p>;
  return (
    <>
      {changed > 0 && (
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium">
            {changed === 1 ? t("projects.n1FileHasTheNameOf") : t("projects.countFileHaveTheNameOf", { changed })}
          </legend>
          <Choice label={t("projects.keepWhatIsHere")} isChosen={existing === "skip"} onChoose={() => onExisting("skip")} />
          <Choice label={t("projects.createANewVersion")} isChosen={existing === "version"} onChoose={() => onExisting("version")} />
        </fieldset>
      )}
      <ul aria-label={t("projects.files")} className="max-h-[40dvh] divide-y overflow-y-auto rounded-md border">
        {files.map((file) => (
          <li key={file.path} className="flex items-start gap-2 px-3 py-1.5">
            <span className="min-w-0 flex-1">
              <span className="block truncate" title={file.path}>
                {file.name || file.path}
              </span>
              {file.reason && <span className="block text-sm wrap-anywhere text-bad">{file.reason}</span>}
            </span>
            <Fate file={file} existing={existing} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Choice({ label, isChosen, onChoose }: { label: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <label className="flex items-center gap-2">
      <input type="radio" name="existing" checked={isChosen} onChange={onChoose} className="size-4 accent-(--accent)" /> {label}
    </label>
  );
}

function Fate({ file, existing }: { file: ImportedFile; existing: Existing }) {
  switch (file.outcome) {
    case "new":
      return <Badge tone="accent">{t("projects.new")}</Badge>;
    case "unchanged":
      return <Badge>{t("projects.sameText")}</Badge>;
    case "refused":
      return <Badge tone="bad">{t("projects.refused")}</Badge>;
    case "exists":
      return existing === "version" ? <Badge tone="accent">{t("projects.versionVersion2", { version: (file.version ?? 0) + 1 })}</Badge> : <Badge>{t("projects.leftAsItIs")}</Badge>;
  }
}

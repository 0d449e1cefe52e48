import { useNavigate } from "@tanstack/react-router";
import { FileText, Receipt, ScrollText, Upload } from "lucide-react";

import { ErrorNote } from "@/components/Notes";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import { FileButton } from "./FileButton";
import { useSamples } from "./useSamples";

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

const ICONS: Record<string, LucideIcon> = { invoice: FileText, receipt: Receipt, contract: ScrollText };

interface EmptyDocumentsProps {
  onFiles: (files: File[]) => void;
  onAdded: () => void;
  autoCreate: boolean;
  /** What is to be done with files that are chosen here. */
  children: ReactNode;
}

/** The first thing that a newcomer sees: one sentence, where to drop files, and three documents to try. */
export function EmptyDocuments({ onFiles, onAdded, autoCreate, children }: EmptyDocumentsProps) {
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6 py-8">
      <div className="flex flex-col items-center gap-3 rounded-lg border-2 border-dashed border-line-strong px-4 py-12 text-center">
        <Upload size={24} aria-hidden className="text-muted" />
        <p className="text-lg">{t("documents.dropDocumentsHereToReadTheir")}</p>
        <FileButton onFiles={onFiles} />
        {children}
        <p className="text-sm text-muted">{t("documents.readableFormats")}</p>
      </div>
      <Samples autoCreate={autoCreate} onAdded={onAdded} />
    </div>
  );
}

function Samples({ autoCreate, onAdded }: Pick<EmptyDocumentsProps, "autoCreate" | "onAdded">) {
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const { list, samples, add } = useSamples(autoCreate, (documentId) => {
    onAdded();
    // Whoever tries one of ours wants to see it.
    void navigate({ to: orgPath(`documents/${documentId}`) });
  });
  return (
    <section aria-labelledby="samples">
      <h2 id="samples" className="mb-2 text-sm font-normal text-muted">
        {t("documents.noDocumentAtHand")}
      </h2>
      {add.error && <ErrorNote className="mb-2" what={t("documents.theSampleWasNotAdded")} error={add.error} />}
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="grid gap-2 sm:grid-cols-3">
        {samples.map((sample) => {
          const Icon = ICONS[sample.name] ?? FileText;
          const isBusy = add.isPending && add.variables === sample.name;
          return (
            <li key={sample.name}>
              <button
                type="button"
                onClick={() => !add.isPending && add.mutate(sample.name)}
                className="flex h-full w-full items-start gap-3 rounded-lg border bg-surface p-3 text-left hover:border-accent"
              >
                <Icon size={18} aria-hidden className="mt-0.5 shrink-0 text-accent" />
                <span>
                  <span className="block font-medium">{isBusy ? t("common.adding") : sample.title}</span>
                  <span className="block text-sm text-muted">{sample.description}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

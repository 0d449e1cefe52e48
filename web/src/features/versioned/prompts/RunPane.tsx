import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { DocumentChoice } from "@/components/DocumentChoice";
import { FailureNote } from "@/components/FailureSteps";
import { ErrorNote } from "@/components/Notes";
import { useDocumentSearch } from "@/lib/api/documents";
import type { Prompt } from "@/lib/api/prompts";
import { usePromptRun, useRunResult } from "@/lib/api/runs";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

/** Choose a document and run the saved prompt on it. */
export function RunPane({ prompt, isDirty }: { prompt: Prompt; isDirty: boolean }) {
  const [find, setFind] = useState("");
  const [document, setDocument] = useState<Document | null>(null);
  const { data: documents, error } = useDocumentSearch(find);
  const { run, running, failure, done, dismiss } = usePromptRun();
  const { data: result, error: lost } = useRunResult(done);
  const orgPath = useOrgPath();
  const choose = (chosen: Document): void => {
    setDocument(chosen);
    dismiss();
  };
  return (
    <div className="flex flex-col gap-4 p-3 sm:p-4">
      <p className="text-sm text-muted">
        {t("prompts.thisRunsVersionPromptVersionAsIt", { promptVersion: prompt.prompt_version, effectiveModel: prompt.effective_model })}{isDirty && t("prompts.yourChangesAreNotPartOf")}
      </p>
      {error && <ErrorNote error={error} />}
      <DocumentChoice documents={documents} find={find} onFind={setFind} chosen={document?.id ?? null} onChoose={choose} />
      <div>
        <Button
          variant="primary"
          icon={Play}
          busy={running?.text}
          disabledBecause={!document && t("prompts.chooseADocumentFirst")}
          onClick={() => document && run({ documentId: document.id, promptRevid: prompt.prompt_revid })}
        >
          {document ? t("prompts.runOnDocumentName", { documentName: shortened(document.document_name) }) : t("common.runPrompt")}
        </Button>
      </div>
      {failure && (
        <FailureNote
          what={t("prompts.nothingWasExtracted")}
          error={failure.error}
          code={failure.code}
          promptId={prompt.prompt_id}
          documentId={failure.documentId}
          onRetry={() => run({ documentId: failure.documentId, promptRevid: failure.promptRevid })}
        />
      )}
      {lost && <ErrorNote what={t("prompts.theResultCannotBeShown")} error={lost} />}
      {result && document && (
        <section aria-label={t("prompts.whatCameOfIt")} className="flex flex-col gap-2">
          <p className="flex flex-wrap gap-2">
            <span>{t("prompts.byModel", { model: result.run.model })}</span>
            <Link to={orgPath(`documents/${document.id}`)} className="text-accent underline">
              {t("prompts.seeTheValuesOnThePages")}
            </Link>
          </p>
          {result.problems.length > 0 && (
            <ul className="text-sm text-bad">
              {result.problems.map((problem) => (
                <li key={problem.path + problem.message}>
                  <span className="font-mono text-xs">{problem.path}</span> {problem.message}
                </li>
              ))}
            </ul>
          )}
          {/* A part that scrolls must be reachable by keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} role="region" aria-label={t("prompts.extractedData")} className="max-h-96 overflow-auto rounded-md border bg-surface p-3 font-mono text-xs">
            {JSON.stringify(result.updated_llm_result, null, 2)}
          </pre>
        </section>
      )}
    </div>
  );
}

function shortened(name: string): string {
  return name.length > 32 ? `${name.slice(0, 30)}…` : name;
}

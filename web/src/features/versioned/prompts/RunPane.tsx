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
        This runs version {prompt.prompt_version}, as it is saved, on {prompt.effective_model}.{isDirty && " Your changes are not part of it yet."}
      </p>
      {error && <ErrorNote error={error} />}
      <DocumentChoice documents={documents} find={find} onFind={setFind} chosen={document?.id ?? null} onChoose={choose} />
      <div>
        <Button
          variant="primary"
          icon={Play}
          busy={running?.text}
          disabledBecause={!document && "Choose a document first."}
          onClick={() => document && run({ documentId: document.id, promptRevid: prompt.prompt_revid })}
        >
          {document ? `Run on ${shortened(document.document_name)}` : "Run prompt"}
        </Button>
      </div>
      {failure && (
        <FailureNote
          what="Nothing was extracted."
          error={failure.error}
          code={failure.code}
          promptId={prompt.prompt_id}
          documentId={failure.documentId}
          onRetry={() => run({ documentId: failure.documentId, promptRevid: failure.promptRevid })}
        />
      )}
      {lost && <ErrorNote what="The result cannot be shown." error={lost} />}
      {result && document && (
        <section aria-label="What came of it" className="flex flex-col gap-2">
          <p className="flex flex-wrap gap-2">
            <span>By {result.run.model}.</span>
            <Link to={orgPath(`documents/${document.id}`)} className="text-accent underline">
              See the values on the pages
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
          <pre tabIndex={0} role="region" aria-label="Extracted data" className="max-h-96 overflow-auto rounded-md border bg-surface p-3 font-mono text-xs">
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

import { Play } from "lucide-react";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { DocumentChoice } from "@/components/DocumentChoice";
import { FailureNote } from "@/components/FailureSteps";
import { Field, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { useDocumentSearch } from "@/lib/api/documents";
import { useResults } from "@/lib/api/results";
import { usePromptRun, useRunResult } from "@/lib/api/runs";
import type { Schema } from "@/lib/api/schemas";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";

import { useUsers, useValidation } from "./useSchemas";

/** Choose a document; check what was extracted from it, or run a prompt that uses the schema. */
export function TryPane({ schema, isDirty }: { schema: Schema; isDirty: boolean }) {
  const [find, setFind] = useState("");
  const [document, setDocument] = useState<Document | null>(null);
  const { data: documents, error } = useDocumentSearch(find);
  return (
    <div className="flex flex-col gap-4 p-3 sm:p-4">
      <p className="text-sm text-muted">
        {t("schemas.thisTriesVersionSchemaVersionAsIt", { schemaVersion: schema.schema_version })}{isDirty && t("schemas.yourChangesAreNotPartOf")}
      </p>
      {error && <ErrorNote error={error} />}
      <DocumentChoice documents={documents} find={find} onFind={setFind} chosen={document?.id ?? null} onChoose={setDocument} />
      {document && <Trial key={document.id} schema={schema} document={document} />}
    </div>
  );
}

function Trial({ schema, document }: { schema: Schema; document: Document }) {
  return (
    <>
      <RunPrompt schema={schema} documentId={document.id} />
      <Results schema={schema} documentId={document.id} />
    </>
  );
}

function RunPrompt({ schema, documentId }: { schema: Schema; documentId: string }) {
  const users = useUsers()?.get(schema.schema_id) ?? [];
  const [chosen, setChosen] = useState("");
  const { run, running, failure, done } = usePromptRun();
  const { data: result, error: lost } = useRunResult(done);
  const promptRevid = users.find((prompt) => prompt.prompt_revid === chosen)?.prompt_revid ?? users[0]?.prompt_revid;
  if (!users.length) return <p className="text-sm text-muted">{t("schemas.noPromptUsesThisSchemaYetSo")}</p>;
  return (
    <section aria-label={t("common.runAPrompt")} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={t("schemas.promptThatUsesTheSchema")} className="min-w-48 flex-1">
          {(control) => (
            <Select {...control} value={promptRevid} onChange={(event) => setChosen(event.target.value)}>
              {users.map((prompt) => (
                <option key={prompt.prompt_id} value={prompt.prompt_revid}>
                  {t("schemas.nameSchemaVersionSchemaVersion", { name: prompt.name, schemaVersion: prompt.schema_version })}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button icon={Play} busy={running?.text} onClick={() => promptRevid && run({ documentId, promptRevid })}>
          {t("common.runPrompt")}
        </Button>
      </div>
      {failure && (
        <FailureNote
          what={t("schemas.nothingWasExtracted")}
          error={failure.error}
          code={failure.code}
          promptId={users.find((prompt) => prompt.prompt_revid === failure.promptRevid)?.prompt_id}
          documentId={documentId}
          onRetry={() => run({ documentId, promptRevid: failure.promptRevid })}
        />
      )}
      {lost && <ErrorNote what={t("schemas.theResultCannotBeShown")} error={lost} />}
      {result && <Checked schema={schema} title={t("schemas.whatCameOfItByModel", { model: result.run.model })} data={result.updated_llm_result} />}
    </section>
  );
}

function Results({ schema, documentId }: { schema: Schema; documentId: string }) {
  const { data, error } = useResults(documentId);
  if (error) return <ErrorNote what={t("schemas.theResultsCannotBeShown")} error={error} />;
  if (!data) return <Loading what={t("schemas.whatWasExtracted")} />;
  if (!data.length) return <p className="text-sm text-muted">{t("schemas.nothingWasExtractedFromThisDocument")}</p>;
  return (
    <section aria-label={t("schemas.whatWasExtracted2")} className="flex flex-col gap-2">
      <h2 className="text-base">{t("schemas.extractedBefore")}</h2>
      {data.map((result) => (
        <Checked key={result.result_id} schema={schema} title={result.prompt_name} data={result.updated_llm_result} />
      ))}
    </section>
  );
}

/** A result, and whether it fits the schema. */
function Checked({ schema, title, data }: { schema: Schema; title: string; data: Record<string, unknown> }) {
  const { data: verdict, error } = useValidation(schema.schema_revid, data);
  const errors = verdict?.errors ?? [];
  return (
    <details className="rounded-lg border bg-surface px-3 py-2" open={errors.length > 0}>
      <summary>
        <span className="inline-flex max-w-[90%] flex-wrap items-center gap-2 align-middle">
          <span className="font-medium">{title}</span>
          {verdict?.valid && <Badge tone="good">{t("schemas.fitsTheSchema")}</Badge>}
          {verdict && !verdict.valid && <Badge tone="bad">{t("schemas.doesNotFitCountError", { count: errors.length })}</Badge>}
          {!verdict && !error && <Badge>{t("schemas.checking")}</Badge>}
        </span>
      </summary>
      {error && <ErrorNote error={error} />}
      {errors.length > 0 && (
        <ul className="pt-2 text-sm text-bad">
          {errors.map((problem) => (
            <li key={problem.path + problem.message}>
              <span className="font-mono text-xs">{problem.path}</span> {problem.message}
            </li>
          ))}
        </ul>
      )}
      {/* A part that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={t("schemas.dataOfTitle", { title })} role="region" className="mt-2 max-h-72 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs">
        {JSON.stringify(data, null, 2)}
      </pre>
    </details>
  );
}

import { Play } from "lucide-react";
import { useMemo, useRef } from "react";

import { Button } from "@/components/Button";
import { FailureNote } from "@/components/FailureSteps";
import { Menu, MenuItem } from "@/components/Menu";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { useDocument, useFacts } from "@/lib/api/documents";
import { useResults } from "@/lib/api/results";
import type { Result } from "@/lib/api/results";
import { useFailureCode, usePromptRun } from "@/lib/api/runs";
import { isPreparing, standing } from "@/lib/documentState";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

import { ProposedSection } from "./ProposedSection";
import { notThrough, ResultSection } from "./ResultSection";
import { fieldsOf, leavesOf } from "./tree";
import { sectionsOf, usePrompts, useResultChanges } from "./useExtraction";
import { useFieldKeys } from "./useFieldKeys";

import type { FieldEvents } from "./ResultFields";
import type { Section } from "./useExtraction";

export interface ExtractionPanelProps extends FieldEvents {
  documentId: string;
  /** A result that waits for a verdict. */
  proposed?: Result;
  /** Lets the agent prepare a schema, a prompt and the values, as one proposal. */
  onFindValues?: () => void;
  /** Inside another panel: no keys of its own, and no way to add prompts. */
  embedded?: boolean;
}

/** What was extracted from a document, prompt by prompt; edited, verified, run and exported here. */
export function ExtractionPanel({ documentId, proposed, onFindValues, embedded = false, ...events }: ExtractionPanelProps) {
  const organization = useOrganization();
  const { data: document } = useDocument(documentId);
  const facts = useFacts(useMemo(() => (document ? [document] : []), [document]));
  const isIncomplete = document?.state_reason_code === "extraction";
  const code = useFailureCode(documentId, document?.state === "llm_failed" || isIncomplete ? document?.state_reason : null);
  const results = useResults(documentId);
  const prompts = usePrompts(documentId, document?.tag_ids);
  const { run: start, running, failure, dismiss } = usePromptRun();
  const run = (promptRevid: string): void => start({ documentId, promptRevid });
  const frame = useRef<HTMLDivElement>(null);
  const sections = useMemo(
    () =>
      sectionsOf(results.data ?? [], prompts.data ?? [], organization.default_prompt_enabled)
        // What the prompt would bring is shown already.
        .filter((section) => section.result !== null || section.promptRevid !== proposed?.prompt_revid)
        // Where there is little room, the summary comes after what somebody asked for.
        .sort((one, other) => (embedded ? Number(isSummary(one)) - Number(isSummary(other)) : 0)),
    [results.data, prompts.data, organization.default_prompt_enabled, proposed, embedded],
  );
  const shown = useMemo(() => [...(proposed ? [proposed] : []), ...sections.flatMap(({ result }) => result ?? [])], [proposed, sections]);
  const verify = useVerifySelected(documentId, shown, events.selected);
  const press = useFieldKeys(frame, verify, !embedded);

  const error = results.error ?? prompts.error;
  if (error) {
    return <ErrorNote className="m-4" what={t("extraction.theResultsCannotBeShown")} error={error} onRetry={() => void Promise.all([results.refetch(), prompts.refetch()])} />;
  }
  if (!results.data || !prompts.data || !document) return <Loading what={t("extraction.theResults")} />;
  const blocked = blockedBecause(document, running !== null);
  // What runs now, or has just failed, is told at its own place.
  const isAtRest = running === null && failure === null;
  const failed = sections.find((section) => section.result === null) ?? sections[0];
  return (
    // The keys of the fields inside: up, down.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={frame} onKeyDown={press} className="flex flex-col">
      {document.state === "llm_failed" && isAtRest && document.state_reason && (
        <FailureNote
          className="m-3"
          what={t("extraction.theLastExtractionFailed")}
          error={document.state_reason}
          code={code}
          promptId={failed?.promptId}
          onRetry={failed && !blocked ? () => run(failed.newer?.prompt_revid ?? failed.promptRevid) : undefined}
        />
      )}
      {document.state === "llm_completed" && isIncomplete && isAtRest && document.state_reason && (
        <FailureNote className="m-3" what={t("extraction.notEveryPromptFinished")} error={document.state_reason} code={code} promptId={failed?.promptId} />
      )}
      {document.state === "llm_processing" && !running && (
        <p role="status" className="border-b px-4 py-2 text-sm text-muted">
          {t("extraction.textTheValuesAppearHereAs", { text: standing(document, facts.get(documentId)).text })}
        </p>
      )}
      {onFindValues && !proposed && !isPreparing(document) && !blocked && hasOnlySummary(sections) && (
        <p className="flex flex-wrap items-center gap-2 border-b px-4 py-2 text-sm text-muted">
          <span className="min-w-48 flex-1">{t("extraction.thereIsASummaryButNo")}</span>
          <FindValues small onFindValues={onFindValues} />
        </p>
      )}
      {proposed && <ProposedSection {...events} result={proposed} />}
      {sections.map((section) => (
        <ResultSection
          key={section.result?.prompt_id ?? section.promptRevid}
          {...events}
          documentId={documentId}
          documentName={document.document_name}
          section={section}
          running={concerns(section, running?.promptRevid) ? running : null}
          failure={concerns(section, failure?.promptRevid) ? failure : null}
          onRun={run}
          onDismiss={dismiss}
          blocked={blocked}
        />
      ))}
      {!sections.length && !proposed && <Nothing onFindValues={onFindValues} />}
      {failure && !sections.some((section) => concerns(section, failure.promptRevid)) && (
        <FailureNote className="m-3" what={notThrough()} error={failure.error} code={failure.code} onRetry={() => run(failure.promptRevid)} onDismiss={dismiss} />
      )}
      {!embedded && (
        <RunAnother sections={sections} blocked={blocked} busy={running && !sections.some((section) => concerns(section, running.promptRevid)) ? running.text : null} onRun={run} />
      )}
    </div>
  );
}

function Nothing({ onFindValues }: { onFindValues?: () => void }) {
  return (
    <EmptyState title={t("extraction.nothingIsExtractedFromThisDocument")}>
      <p className="max-w-sm text-sm text-muted">
        {t("extraction.aPromptThatSharesATag")}
      </p>
      {onFindValues && <FindValues onFindValues={onFindValues} />}
    </EmptyState>
  );
}

function FindValues({ small, onFindValues }: { small?: boolean; onFindValues: () => void }) {
  return (
    <Button small={small} variant="primary" onClick={onFindValues}>
      {t("extraction.findTheValues")}
    </Button>
  );
}

function isSummary({ promptRevid }: Section): boolean {
  return promptRevid === "default";
}

/** Nobody has set anything up for the document: only the summary ran, which every document gets. */
function hasOnlySummary(sections: readonly Section[]): boolean {
  return sections.length > 0 && sections.every((section) => isSummary(section) && section.result !== null);
}

interface RunAnotherProps {
  sections: Section[];
  blocked: string | false;
  busy: string | null;
  onRun: (promptRevid: string) => void;
}

/** Prompts that have no section of their own here. */
function RunAnother({ sections, blocked, busy, onRun }: RunAnotherProps) {
  const { data: all = [] } = usePrompts();
  const names = new Set(sections.map((section) => section.name));
  const others = all.filter((prompt) => !names.has(prompt.name));
  const hasDefault = sections.some((section) => section.promptRevid === "default");
  if (!others.length && hasDefault) return null;
  return (
    <div className="self-start px-3 py-2">
      <Menu
        trigger={
          <Button small icon={Play} busy={busy} disabledBecause={blocked}>
            {t("common.runAPrompt")}
          </Button>
        }
      >
        {!hasDefault && <MenuItem onSelect={() => onRun("default")}>{t("extraction.documentSummary")}</MenuItem>}
        {others.map((prompt) => (
          <MenuItem key={prompt.prompt_revid} note={`v${prompt.prompt_version}`} onSelect={() => onRun(prompt.prompt_revid)}>
            {prompt.name}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}

function concerns(section: Section, promptRevid: string | undefined): boolean {
  return promptRevid !== undefined && (section.promptRevid === promptRevid || section.newer?.prompt_revid === promptRevid);
}

function blockedBecause(document: Document, isRunning: boolean): string | false {
  if (isRunning) return t("extraction.aPromptIsRunningWaitUntil");
  if (document.state === "uploaded" || document.state === "ocr_processing") return t("extraction.theDocumentIsStillBeingRead");
  if (document.state === "ocr_failed") return t("extraction.theDocumentCouldNotBeRead");
  return false;
}

function useVerifySelected(documentId: string, shown: Result[], selected: FieldEvents["selected"]): () => void {
  const { verify } = useResultChanges(documentId, selected?.promptRevid ?? "default");
  return () => {
    const result = shown.find((one) => one.prompt_revid === selected?.promptRevid);
    const leaf = result && leavesOf(fieldsOf(result)).find((item) => item.path === selected?.path);
    if (leaf) verify.mutate({ path: leaf.path, verified: !leaf.isVerified });
  };
}

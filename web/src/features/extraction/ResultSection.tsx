import { ChevronDown, ChevronRight, Download, Play, RotateCw, ShieldCheck } from "lucide-react";
import { useId, useMemo, useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { FailureNote } from "@/components/FailureSteps";
import { ErrorNote } from "@/components/Notes";
import { Progress } from "@/components/Progress";
import type { Result } from "@/lib/api/results";
import { useThreshold } from "@/lib/api/review";
import type { Failure, Running } from "@/lib/api/runs";
import { download } from "@/lib/download";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useRemembered } from "@/lib/remembered";

import { Counts } from "./Counts";
import { History } from "./History";
import { HowMade } from "./HowMade";
import { ResultFields } from "./ResultFields";
import { SectionMenu } from "./SectionMenu";
import { fieldsOf, leavesOf } from "./tree";
import { useResultChanges } from "./useExtraction";

import type { FieldEvents } from "./ResultFields";
import type { ExportFormat } from "./SectionMenu";
import type { Node } from "./tree";
import type { Section } from "./useExtraction";

export const notThrough = (): string => t("extraction.thePromptDidNotFinish");

type Part = "history" | "prompt";

interface ResultSectionProps extends FieldEvents {
  documentId: string;
  documentName: string;
  section: Section;
  running: Running | null;
  failure: Failure | null;
  onRun: (promptRevid: string) => void;
  onDismiss: () => void;
  /** Why nothing can be run now. */
  blocked: string | false;
}

/** One prompt and what came of it. */
export function ResultSection(props: ResultSectionProps) {
  const { section, running, failure, onRun, onDismiss, blocked } = props;
  const { result, newer } = section;
  const [isOpen, setIsOpen] = useRemembered(`extraction.open.${result?.prompt_id ?? section.promptRevid}`, true);
  const threshold = useThreshold(section.promptId);
  const nodes = useMemo(() => (result ? fieldsOf(result, threshold) : []), [result, threshold]);
  const leaves = useMemo(() => leavesOf(nodes), [nodes]);
  const [shown, setShown] = useState<Part | null>(null);
  const [error, setError] = useState<unknown>(null);
  const id = useId();
  const again = newer?.prompt_revid ?? section.promptRevid;
  return (
    <section aria-labelledby={`${id}-title`} className="border-b last:border-b-0">
      <header className="sticky top-0 z-10 flex flex-wrap items-center gap-x-2 gap-y-1 bg-surface px-3 py-1.5">
        <h2 id={`${id}-title`} className="min-w-0 text-base">
          <button
            type="button"
            aria-expanded={isOpen}
            className="flex min-w-0 items-center gap-1 rounded-sm py-0.5 pr-1 text-left hover:bg-hover"
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? <ChevronDown size={15} aria-hidden /> : <ChevronRight size={15} aria-hidden />}
            <span className="truncate">{section.name}</span>
          </button>
        </h2>
        {result && <Counts result={result} leaves={leaves} />}
        <span className="ml-auto flex items-center gap-1">
          {!result && (
            <Button small variant="primary" icon={Play} disabledBecause={blocked} busy={running && running.text} onClick={() => onRun(again)}>
              {t("common.run")}
            </Button>
          )}
          {result && <ResultTools {...props} result={result} nodes={nodes} again={again} onError={setError} onShow={(part) => setShown(shown === part ? null : part)} />}
        </span>
      </header>
      {(shown || error !== null) && result && (
        <div className="flex flex-col gap-2 px-3 pb-2">
          {error !== null && <ErrorNote error={error} onDismiss={() => setError(null)} />}
          {shown === "history" && <History result={result} />}
          {shown === "prompt" && <HowMade result={result} />}
          {shown && (
            <Button small variant="quiet" className="self-start" onClick={() => setShown(null)}>
              {t("common.close")}
            </Button>
          )}
        </div>
      )}
      {running && (
        <div className="px-4 pb-2">
          {running.progress ? (
            <Progress label={running.text} value={running.progress.value} max={running.progress.max} />
          ) : (
            <p role="status" className="text-sm text-muted">
              {running.text}
            </p>
          )}
        </div>
      )}
      {failure !== null && (
        <FailureNote className="mx-3 mb-2" what={notThrough()} error={failure.error} code={failure.code} promptId={section.promptId} onRetry={() => onRun(again)} onDismiss={onDismiss} />
      )}
      {isOpen && result && <Body {...props} result={result} nodes={nodes} />}
      {isOpen && !result && !running && (
        <p className="px-4 pb-3 text-sm text-muted">{t("extraction.thisPromptHasNotRunOn")}</p>
      )}
    </section>
  );
}

interface WithResult extends ResultSectionProps {
  result: Result;
  nodes: Node[];
}

interface ToolsProps extends WithResult {
  /** The revision of the prompt that runs: the newest. */
  again: string;
  onError: (error: unknown) => void;
  onShow: (part: Part) => void;
}

function ResultTools({ documentId, documentName, section, result, running, onRun, blocked, again, onError, onShow }: ToolsProps) {
  const { id } = useOrganization();
  const { verifyAll } = useResultChanges(documentId, result.prompt_revid);
  const set = (verified: boolean): void =>
    verifyAll.mutate({ data: result.updated_llm_result, verified }, { onError });
  const save = (format: ExportFormat): void => {
    const query = new URLSearchParams({ format, prompt_revid: result.prompt_revid });
    const stem = documentName.replace(/\.[^.]*$/, "");
    download(`/v0/orgs/${id}/llm/results/${documentId}/export?${query}`, `${stem} ${section.name}.${format}`).catch(onError);
  };
  return (
    <>
      {!result.is_verified && (
        <Button small icon={ShieldCheck} busy={verifyAll.isPending && t("extraction.verifying")} onClick={() => set(true)}>
          {t("extraction.verifyAll")}
        </Button>
      )}
      <Button small variant="quiet" icon={RotateCw} busy={running && t("extraction.running")} disabledBecause={blocked} onClick={() => onRun(again)}>
        {t("extraction.runAgain")}
      </Button>
      <IconButton small icon={Download} label={t("extraction.exportNameAsAnExcelWorkbook", { name: section.name })} onClick={() => save("xlsx")} />
      <SectionMenu
        name={section.name}
        result={result}
        onExport={save}
        onHistory={() => onShow("history")}
        onPrompt={() => onShow("prompt")}
        onUnverify={() => set(false)}
      />
    </>
  );
}

function Body({ documentId, section, result, nodes, selected, isPicked, onSelect, onHover }: WithResult) {
  const changes = useResultChanges(documentId, result.prompt_revid);
  return (
    <div className="px-4 pb-3">
      {section.newer && (
        <p className="mb-2 text-sm text-muted">
          {t("extraction.madeByVersionPromptVersionOfThe", { promptVersion: result.prompt_version, promptVersion2: section.newer.prompt_version })}
        </p>
      )}
      {nodes.length ? (
        <ResultFields result={result} nodes={nodes} changes={changes} selected={selected} isPicked={isPicked} onSelect={onSelect} onHover={onHover} />
      ) : (
        <p className="text-sm text-muted">{t("extraction.theResultHasNoFields")}</p>
      )}
    </div>
  );
}

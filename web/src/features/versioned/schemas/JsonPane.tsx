import { useMemo } from "react";

import { Button } from "@/components/Button";
import { CodeEditor } from "@/components/CodeEditor";
import type { CodeMark } from "@/components/CodeEditor";
import { ProblemList } from "@/components/schema/ProblemList";
import { allProblems } from "@/components/schema/problems";
import { t } from "@/lib/i18n";
import { placeInJson } from "@/lib/jsonPlaces";
import { mended, typed } from "@/lib/schema/draft";
import type { Draft } from "@/lib/schema/draft";
import { wireName, wrapped } from "@/lib/schema/edits";
import { pretty } from "@/lib/schema/json";
import type { JsonObject } from "@/lib/schema/json";
import type { Problem } from "@/lib/schema/problem";

interface JsonPaneProps {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  check: { valid: boolean; errors: Problem[]; warnings: Problem[] } | undefined;
  name: string;
}

/** The whole response format as text; what is typed stays, readable or not. */
export function JsonPane({ draft, onDraft, check, name }: JsonPaneProps) {
  const { text, problem } = draft;
  const marks = useMemo<CodeMark[]>(
    () =>
      allProblems(check)
        .slice(0, MOST_MARKS)
        .map(({ path, message, severity }) => ({ ...placeInJson(text, path), message, severity })),
    [text, check],
  );
  const pasted = problem === null ? null : pastedSchema(text, wireName(name));
  return (
    <div className="flex h-full min-h-72 flex-col">
      <CodeEditor label={t("schemas.responseFormatAsJson")} value={text} marks={marks} className="min-h-0 flex-1 overflow-auto bg-surface" onChange={(next) => onDraft(typed(draft, next))} />
      <div className="max-h-56 shrink-0 overflow-y-auto border-t bg-canvas px-3 py-2">
        {problem !== null ? (
          <div role="alert" className="flex flex-col gap-2 text-sm">
            <p className="wrap-anywhere text-bad">{problem}</p>
            <div className="flex flex-wrap gap-2">
              {pasted && (
                <Button small variant="primary" onClick={() => onDraft(typed(draft, pretty(pasted)))}>
                  {t("schemas.useItAsTheSchema")}
                </Button>
              )}
              <Button small onClick={() => onDraft(mended(draft))}>
                {t("schemas.goBackToTheLastReadable")}
              </Button>
            </div>
          </div>
        ) : (
          <Verdict check={check} />
        )}
      </div>
    </div>
  );
}

const MOST_MARKS = 200;

function Verdict({ check }: { check: JsonPaneProps["check"] }) {
  if (!check) return <p className="text-sm text-muted">{t("schemas.checkingTheSchema")}</p>;
  const { errors, warnings } = check;
  if (!errors.length && !warnings.length) return <p className="text-sm text-good">{t("schemas.everyProviderCanEnforceThisSchema")}</p>;
  const told = [errors.length && t("schemas.countError", { count: errors.length }), warnings.length && t("schemas.countWarning", { count: warnings.length })].filter(Boolean);
  return (
    <details className="text-sm" open={errors.length > 0 && errors.length < 6}>
      <summary className={errors.length ? "text-bad" : "text-muted"}>
        {errors.length ? t("schemas.aProviderCannotEnforceThisSchema") : t("schemas.everyProviderCanEnforceThisSchema2")}: {told.join(", ")}
      </summary>
      <ProblemList problems={allProblems(check)} showPath className="pt-1" />
    </details>
  );
}

function pastedSchema(text: string, name: string): JsonObject | null {
  try {
    return wrapped(JSON.parse(text), name);
  } catch {
    return null;
  }
}

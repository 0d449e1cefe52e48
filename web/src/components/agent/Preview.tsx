import { useMemo } from "react";

import type { Preview as Shown } from "@/lib/agent/events";
import type { HunkChoice } from "@/lib/agent/hunks";
import { leftOutOf, textFields } from "@/lib/agent/previews";
import { asObject } from "@/lib/agent/words";
import { cx } from "@/lib/cx";
import { countLines } from "@/lib/diff";
import { stepsOf } from "@/lib/fieldPath";
import { visible, words } from "@/lib/format";
import { rich, t } from "@/lib/i18n";

import { FieldDiff, LineDiff } from "../DiffView";
import { TagDot } from "../TagChip";
import { TextDiff } from "../TextDiff";

import { CutOff } from "./CutOff";
import { Hunks } from "./Hunks";
import { fieldLines, gathered } from "./schemaFields";

import type { FieldChange } from "./schemaFields";
import type { ReactNode } from "react";

/** What a call would change, in the words of the domain. */
export function Preview({ preview, choice }: { preview: Shown; choice?: HunkChoice }) {
  switch (preview.kind) {
    case "schema":
      return <SchemaPreview preview={preview} />;
    case "prompt":
      return <PromptPreview preview={preview} />;
    case "text":
      return <TextPreview preview={preview} choice={choice} />;
    case "value":
      return <ValuePreview preview={preview} />;
    case "tag":
    case "document":
      return <StatePreview preview={preview} />;
    case "delete":
      return <DeletePreview preview={preview} />;
    case "extraction":
      return <ExtractionPreview preview={preview} />;
    case "result":
      return <ResultPreview preview={preview} />;
    case "search":
      return <SearchPreview preview={preview} />;
    case "outside_call":
      return <OutsideCallPreview preview={preview} />;
    case "refusal":
      return <p className="text-bad">{t("cards.itWillBeRefusedReason", { reason: text(preview.reason) })}</p>;
    default:
      return <FieldDiff label={t("common.whatChanges")} before={preview.before ?? {}} after={preview.after ?? preview} />;
  }
}

/** So few changed lines need not be counted. */
const AT_A_GLANCE = 4;
const SIGN = { added: "+", removed: "−", changed: "~" } as const;
const SPOKEN = {
  get added() { return t("cards.added"); },
  get removed() { return t("cards.removed"); },
  get changed() { return t("cards.changed"); },
};
const LOOK = { added: "text-good", removed: "text-bad", changed: "text-accent" } as const;

function SchemaPreview({ preview }: { preview: Shown }) {
  const { lines, same } = fieldLines(list<FieldChange>(preview.fields));
  const [from, to] = [preview.version_from, preview.version_to];
  const renamed = typeof preview.name_before === "string" && preview.name_before !== preview.name;
  return (
    <div className="flex flex-col gap-2">
      {(renamed || typeof from === "number") && (
        <p className="text-muted">
          {renamed && (
            <>
              {rich("cards.nameSName", { s: <s>{text(preview.name_before)}</s>, name: text(preview.name) })}{" "}
            </>
          )}
          {typeof from === "number" && from !== to && t("cards.versionFromBecomesTo", { from, to: text(to) })}
        </p>
      )}
      {lines.length > 0 && (
        <ul aria-label={t("common.fields")} className="grid grid-cols-[auto_minmax(0,auto)_1fr] gap-x-2 gap-y-0.5">
          {lines.map((line) => (
            <li key={`${line.change} ${line.path}`} className="col-span-3 grid grid-cols-subgrid">
              <span aria-hidden className={cx("font-mono", LOOK[line.change])}>
                {SIGN[line.change]}
              </span>
              <span className="sr-only">{SPOKEN[line.change]}</span>
              <span className={cx("font-mono text-sm wrap-anywhere", line.change === "removed" && "line-through")}>{line.path}</span>
              <span className="text-muted wrap-anywhere">{line.words}</span>
            </li>
          ))}
        </ul>
      )}
      {lines.length === 0 && !renamed && <p className="text-muted">{t("cards.noFieldChanges")}</p>}
      {same > 0 && lines.length > 0 && <p className="text-sm text-muted">{t("cards.countFieldStayAsTheyAre", { same })}</p>}
      <Problems title={t("cards.itWillBeRefused")} problems={list(preview.errors)} className="text-bad" />
      <Problems problems={list(preview.warnings)} className="text-muted" />
    </div>
  );
}

function Problems({ title, problems, className }: { title?: string; problems: unknown[]; className: string }) {
  if (!problems.length) return null;
  return (
    <div className={cx("text-sm", className)}>
      {title && <p>{title}</p>}
      <ul className={title && "list-disc pl-5"}>
        {gathered(problems).map(({ message, fields }) => (
          <li key={message} className="wrap-anywhere">
            {fields.length > 0 && <span className="font-mono text-xs">{fields.join(", ")}: </span>}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PromptPreview({ preview }: { preview: Shown }) {
  const fields = textFields(preview);
  const isNew = typeof preview.version_from !== "number";
  if (!fields.length) return <p className="text-muted">{t("cards.nothingChanges")}</p>;
  return (
    <dl className="flex flex-col gap-2">
      {fields.map(({ field, before, after }) =>
        field === "content" ? (
          <div key={field} className="flex flex-col gap-1">
            <dt className="text-sm text-muted">{isNew ? t("common.instruction") : t("cards.instructionLineByLine")}</dt>
            <dd className="max-h-56 overflow-y-auto">
              {isNew || !before ? (
                <p className="rounded-md bg-sunken px-2 py-1.5 wrap-anywhere whitespace-pre-wrap">{after}</p>
              ) : (
                <LineDiff label={t("common.instruction")} before={before} after={after ?? ""} />
              )}
            </dd>
          </div>
        ) : (
          <Change key={field} name={words(field)} before={isNew ? undefined : (before ?? t("common.none"))} after={after ?? t("common.none")} />
        ),
      )}
    </dl>
  );
}

/** A document of a project: its text line by line, the rest in words. */
function TextPreview({ preview, choice }: { preview: Shown; choice?: HunkChoice }) {
  const fields = textFields(preview);
  const isNew = typeof preview.version_from !== "number";
  const content = fields.find(({ field }) => field === "content");
  const others = fields.filter(({ field, after }) => field !== "content" && (!isNew || after) && (!isNew || field !== "name"));
  if (!content && !others.length) return <p className="text-muted">{t("cards.nothingChanges")}</p>;
  return (
    <div className="flex flex-col gap-2">
      {others.length > 0 && (
        <dl className="flex flex-col gap-1">
          {others.map(({ field, before, after }) => (
            <Change key={field} name={words(field)} before={isNew ? undefined : before || t("common.none")} after={after || t("common.none")} />
          ))}
        </dl>
      )}
      {content && (
        <>
          {content.before && <Extent before={content.before} after={content.after ?? ""} />}
          <CutOff label={isNew ? t("cards.theNewText") : t("cards.theTextAsItIsAnd")}>
            {choice && choice.hunks.length > 1 ? (
              <Hunks choice={choice} />
            ) : content.before ? (
              <TextDiff label={t("cards.theText")} before={content.before} after={content.after ?? ""} leftOut={leftOutOf(content)} />
            ) : (
              <p className="rounded-md bg-sunken px-2 py-1.5 wrap-anywhere whitespace-pre-wrap">{content.after || t("cards.withoutAText")}</p>
            )}
          </CutOff>
        </>
      )}
    </div>
  );
}

/** How much of a text changes in all, where that is not seen at a glance. */
function Extent({ before, after }: { before: string; after: string }) {
  const { removed, added } = useMemo(() => countLines(before, after), [before, after]);
  if (removed + added <= AT_A_GLANCE) return null;
  return (
    <p className="text-sm text-muted">
      {t("cards.countLineRemovedAddedAdded", { removed, added })}
    </p>
  );
}

function Change({ name, before, after }: { name: string; before?: ReactNode; after: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-wrap gap-x-2 wrap-anywhere">
        {before !== undefined && (
          <>
            <del className="text-bad">
              <bdi>{before}</bdi>
            </del>
            <span aria-hidden className="text-muted">
              →
            </span>
          </>
        )}
        <ins className="no-underline">
          <bdi>{after}</bdi>
        </ins>
      </dd>
    </div>
  );
}

function ValuePreview({ preview }: { preview: Shown }) {
  return (
    <dl className="flex flex-col gap-1">
      <Change name={placeWords(text(preview.path))} before={shown(preview.before)} after={shown(preview.after)} />
      <p className="text-sm text-muted">{t("cards.inTheResultOfPrompt", { prompt: text(preview.prompt) })}</p>
    </dl>
  );
}

/** `lines.0.unit_price` as "Lines, row 1, Unit price". */
function placeWords(path: string): string {
  return stepsOf(path)
    .map((step) => (typeof step === "number" ? t("cards.rowStep", { step: step + 1 }) : words(step)))
    .join(", ");
}

function StatePreview({ preview }: { preview: Shown }) {
  const before = preview.before === null ? null : asObject(preview.before);
  const after = asObject(preview.after);
  const names = Object.keys(after).filter((name) => !before || JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const told = names.filter((name) => before || (after[name] !== null && after[name] !== ""));
  if (!told.length) return <p className="text-muted">{t("cards.nothingChanges")}</p>;
  return (
    <dl className="flex flex-col gap-1">
      {told.map((name) => (
        <Change
          key={name}
          name={name === "color" ? t("cards.colour") : name === "document_name" ? t("common.name") : words(name)}
          before={before ? state(name, before[name]) : undefined}
          after={state(name, after[name])}
        />
      ))}
    </dl>
  );
}

function state(name: string, value: unknown): ReactNode {
  if (name === "color" && typeof value === "string") {
    return (
      <span className="inline-flex items-center gap-1.5">
        <TagDot color={value} /> {value}
      </span>
    );
  }
  if (Array.isArray(value)) return value.length ? value.map(text).join(", ") : t("common.none");
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).map(([key, one]) => `${visible(key)}: ${text(one)}`);
    return pairs.length ? pairs.join(", ") : t("common.none");
  }
  return shown(value);
}

function DeletePreview({ preview }: { preview: Shown }) {
  const removes = list<string>(preview.removes);
  return (
    <div>
      <p>
        {t("cards.goesAway")}{" "}<bdi className="font-medium wrap-anywhere">{text(preview.name)}</bdi>
      </p>
      <ul className="list-disc pl-5 text-muted">
        {removes.map((item) => (
          <li key={item} className="wrap-anywhere">
            {text(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ExtractionPreview({ preview }: { preview: Shown }) {
  const pages = typeof preview.pages === "number" && preview.pages > 0 ? t("cards.countPage", { pages: preview.pages }) : "";
  return (
    <dl className="flex flex-col gap-1">
      <Change name={t("common.prompt")} after={text(preview.prompt)} />
      {typeof preview.schema === "string" && <Change name={t("common.schema")} after={text(preview.schema)} />}
      <Change name={t("common.document")} after={`${text(preview.document)}${pages}`} />
      <Change name={t("common.model")} after={text(preview.model)} />
      {preview.replaces === true && (
        <p className="text-sm text-muted">{t("cards.replacesTheCurrentResultYouCan")}</p>
      )}
    </dl>
  );
}

function ResultPreview({ preview }: { preview: Shown }) {
  const [values, proven] = [Number(preview.values), Number(preview.proven)];
  return (
    <p>
      {rich("cards.countValueOfPromptBdiProven", { values, bdi: <bdi className="font-medium wrap-anywhere">{text(preview.prompt)}</bdi>, proven })}
    </p>
  );
}

/** The exact words that would leave the server. */
function SearchPreview({ preview }: { preview: Shown }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm text-muted">{t("cards.exactlyThisGoesToTheSearch")}</p>
      <p className="rounded-md bg-sunken px-2 py-1.5 wrap-anywhere whitespace-pre-wrap">
        <bdi>{text(preview.query)}</bdi>
      </p>
    </div>
  );
}

function OutsideCallPreview({ preview }: { preview: Shown }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm text-muted">{t("cards.exactlyThisGoesToToolOf", { tool: text(preview.tool), server: text(preview.server) })}</p>
      <p className="rounded-md bg-sunken px-2 py-1.5 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        <bdi>{text(JSON.stringify(preview.arguments, null, 2))}</bdi>
      </p>
    </div>
  );
}

function list<T = unknown>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return visible(typeof value === "string" ? value : JSON.stringify(value));
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return t("cards.empty");
  return text(value);
}

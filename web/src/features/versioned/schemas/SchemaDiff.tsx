import { LineDiff } from "@/components/DiffView";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { compareFormats, isSame } from "@/lib/schema/compare";
import { pretty } from "@/lib/schema/json";
import type { JsonObject } from "@/lib/schema/json";

const SIGN = { added: "+", removed: "-", changed: "~" } as const;
const LOOK = { added: "bg-good-soft text-good", removed: "bg-bad-soft text-bad", changed: "bg-accent-soft" } as const;

interface SchemaDiffProps {
  before: JsonObject;
  after: JsonObject;
  label: string;
  /** The JSON line by line as well, folded. */
  withJson?: boolean;
}

/** Two versions of a schema in the words of its fields. */
export function SchemaDiff({ before, after, label, withJson }: SchemaDiffProps) {
  const found = compareFormats(before, after);
  if (isSame(found)) return <p className="text-muted">{t("common.noDifferences")}</p>;
  return (
    <div className="flex flex-col gap-2">
      {found.fields.length > 0 && (
        <ul aria-label={label} className="flex flex-col gap-px overflow-hidden rounded-md border bg-surface text-sm">
          {found.fields.map((change) => (
            <li key={change.kind + change.field} className={cx("flex gap-2 px-2 py-0.5", LOOK[change.kind])}>
              <span aria-hidden className="w-2 shrink-0 font-mono">
                {SIGN[change.kind]}
              </span>
              <span className="sr-only">{change.kind}: </span>
              <span className="min-w-0 wrap-anywhere">
                <span className="font-mono">{change.field}</span> {change.details.join("; ")}
              </span>
            </li>
          ))}
        </ul>
      )}
      {found.reordered.length > 0 && (
        <p className="text-sm text-muted">
          {found.reordered.map((group) => (group ? t("schemas.theFieldsOfGroupStandIn", { group }) : t("schemas.theFieldsStandInAnotherOrder"))).join(" ")}
        </p>
      )}
      {found.rest.length > 0 && (
        <p className="text-sm text-muted">
          {t("schemas.besidesTheFields")}{" "}<span className="font-mono text-xs">{found.rest.map((change) => `${change.path} ${change.kind}`).join(", ")}</span>
        </p>
      )}
      {withJson && (
        <details className="text-sm">
          <summary>{t("schemas.theJsonLineByLine")}</summary>
          <div className="pt-2">
            <LineDiff label={t("schemas.labelAsJson", { label })} before={pretty(before)} after={pretty(after)} />
          </div>
        </details>
      )}
    </div>
  );
}

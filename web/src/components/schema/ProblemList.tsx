import { CircleAlert, Info } from "lucide-react";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import type { Told } from "./problems";

/** Errors and warnings of the strict check, each with a picture and its words. */
export function ProblemList({ problems, showPath, className }: { problems: Told[]; showPath?: boolean; className?: string }) {
  if (!problems.length) return null;
  return (
    <ul className={cx("flex flex-col gap-0.5 text-sm", className)}>
      {problems.map((problem) => {
        const isError = problem.severity === "error";
        const Icon = isError ? CircleAlert : Info;
        return (
          <li key={`${problem.path} ${problem.message}`} className={cx("flex items-start gap-1.5", isError ? "text-bad" : "text-muted")}>
            <Icon size={14} aria-hidden className="mt-0.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              <span className="sr-only">{isError ? t("schemaFields.error") : t("schemaFields.warning")}</span>
              {showPath && problem.path && <span className="font-mono text-xs">{problem.path.replace("json_schema.schema.", "")} </span>}
              {problem.message}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

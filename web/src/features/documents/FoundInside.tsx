import { Link } from "@tanstack/react-router";
import { FileText } from "lucide-react";

import { ErrorNote } from "@/components/Notes";
import { Passage } from "@/components/Passage";
import { placeOf, useFound } from "@/lib/api/search";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

const MOST = 20;

/** Documents whose text or values hold the words, each with the passage; leads to its place. */
export function FoundInside({ find }: { find: string }) {
  const orgPath = useOrgPath();
  const { data, error, isPlaceholderData, refetch } = useFound(find, { kinds: ["document"], limit: MOST });
  if (error) return <ErrorNote what={t("documents.theTextsWereNotSearched")} error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <p role="status" className="text-sm text-muted">
        {t("documents.searchingInTextsAndValues")}
      </p>
    );
  }
  const inside = data.results.filter((found) => found.passage);
  return (
    <section aria-label={t("documents.inTextsAndValues")} aria-busy={isPlaceholderData} className="flex flex-col gap-1">
      <h2 className="text-sm font-medium text-muted">{t("documents.inTextsAndValues")}</h2>
      {inside.length === 0 && <p className="text-sm text-muted">{t("documents.noPageAndNoValueHas")}</p>}
      <ul className="divide-y rounded-lg border bg-surface empty:hidden">
        {inside.map((found) => (
          <li key={found.id}>
            <Link
              to={orgPath(placeOf(found).path)}
              search={placeOf(found).search}
              className="flex items-start gap-2 px-3 py-2 hover:bg-hover"
            >
              <FileText size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{found.name}</span>
                <span className="line-clamp-4 text-sm wrap-anywhere text-muted sm:line-clamp-2">
                  <Passage of={found} />
                </span>
              </span>
              {found.page && <span className="shrink-0 text-xs text-muted">{t("documents.pagePage", { page: found.page })}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

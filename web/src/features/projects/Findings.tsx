import { Link } from "@tanstack/react-router";
import { FileText, MessageSquare } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { Passage } from "@/components/Passage";
import { placeOf, useFindings } from "@/lib/api/projects";
import type { Finding } from "@/lib/api/projects";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { visitAgain } from "@/lib/visits";

const FIRST = 10;
const MOST = 100;

interface FindingsProps {
  projectId: string;
  find: string;
}

/** What was found below the list of documents: in the texts, and in the user's own conversations. */
export function Findings({ projectId, find }: FindingsProps) {
  return (
    <>
      <Group key={`document ${find}`} projectId={projectId} find={find} kind="document" title={t("projects.inTheTexts")} none={t("projects.noTextHasAllOfThese")} />
      <Group key={`chat ${find}`} projectId={projectId} find={find} kind="chat" title={t("projects.inYourConversations")} />
    </>
  );
}

interface GroupProps extends FindingsProps {
  kind: Finding["kind"];
  title: string;
  none?: string;
}

function Group({ projectId, find, kind, title, none }: GroupProps) {
  const [limit, setLimit] = useState(FIRST);
  const { data, error, isPlaceholderData, refetch } = useFindings(find, { projectId, kind, limit });
  if (error) return <ErrorNote className="mx-3 my-1" what={t("projects.nothingWasSearched")} error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <p role="status" className="px-3 py-1 text-sm text-muted">
        {t("common.searching")}
      </p>
    );
  }
  if (!data.total_count && !none) return null;
  const more = data.total_count - data.results.length;
  return (
    <section aria-label={title} aria-busy={isPlaceholderData} className="px-1.5 pt-2 pb-1">
      <h3 className="px-1.5 text-sm font-normal text-muted">
        {title}
        {data.total_count > 0 && <span className="tabular-nums"> ({data.total_count})</span>}
      </h3>
      {!data.total_count && <p className="px-1.5 py-1 text-sm text-muted">{none}</p>}
      <ul className="flex flex-col gap-px">
        {data.results.map((found) => (
          <li key={found.document_id ?? found.thread_id}>
            <Found found={found} />
          </li>
        ))}
      </ul>
      {more > 0 && limit < MOST && (
        <Button small variant="quiet" onClick={() => setLimit(MOST)}>
          {t("projects.showCountMore", { more: Math.min(more, MOST - limit) })}
        </Button>
      )}
      {more > 0 && limit === MOST && <p className="px-1.5 py-1 text-sm text-muted">{t("projects.thereAreMoreMoreUseMore", { more })}</p>}
    </section>
  );
}

function Found({ found }: { found: Finding }) {
  const orgPath = useOrgPath();
  const Icon = found.kind === "document" ? FileText : MessageSquare;
  return (
    <Link
      to={orgPath(`projects/${found.project_id}`)}
      search={(old: object) => ({ ...old, view: undefined, line: undefined, ...placeOf(found) })}
      // The text scrolls to what was found; the router would scroll it to where it was.
      resetScroll={false}
      onClick={visitAgain}
      className="flex items-start gap-2 rounded-md px-2 py-1.5 hover:bg-hover"
    >
      <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{found.name}</span>
        <span className="line-clamp-3 text-xs wrap-anywhere text-muted">
          <Passage of={found} />
        </span>
      </span>
    </Link>
  );
}

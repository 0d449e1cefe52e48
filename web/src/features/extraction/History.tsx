import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { FieldDiff } from "@/components/DiffView";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import type { Result } from "@/lib/api/results";
import { useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

/** Every revision of a result: who made it and when, and where it differs from the newest. */
export function History({ result }: { result: Result }) {
  const { id } = useOrganization();
  const user = useUser();
  const [open, setOpen] = useState<number | null>(null);
  const params = {
    path: { organization_id: id, document_id: result.document_id },
    query: { prompt_revid: result.prompt_revid },
  };
  const key = [id, "revisions", result.document_id, result.prompt_revid];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/llm/result/{document_id}/revisions", { params })),
  });
  const { data: older } = useQuery({
    queryKey: [...key, open],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/llm/result/{document_id}/revisions/{number}", {
          params: { ...params, path: { ...params.path, number: open ?? 0 } },
        }),
      ),
    enabled: open !== null,
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading what={t("extraction.theRevisions")} />;
  return (
    <ol aria-label={t("extraction.revisions")} className="flex flex-col divide-y rounded-md border text-sm">
      {data.revisions.map((revision) => (
        <li key={revision.number} className="flex flex-col gap-1 px-3 py-1">
          <div className="flex min-h-7 flex-wrap items-center gap-x-2">
            <span className="font-medium">{t("extraction.revisionNumber", { number: revision.number })}</span>
            <span className="text-muted">
              {whose(revision, user.id)},{" "}
              <RelativeTime date={revision.created_at} />
            </span>
            {revision.number === result.revision ? (
              <span className="ml-auto text-muted">{t("extraction.shown")}</span>
            ) : (
              <Button small variant="quiet" className="ml-auto" aria-expanded={open === revision.number} onClick={() => setOpen(open === revision.number ? null : revision.number)}>
                {open === revision.number ? t("extraction.hideTheChanges") : t("extraction.showTheChanges")}
              </Button>
            )}
          </div>
          {open === revision.number && older && (
            <FieldDiff label={t("extraction.fromRevisionNumberToRevision", { number: revision.number, revision: result.revision })} before={older} after={result.updated_llm_result} />
          )}
        </li>
      ))}
    </ol>
  );
}

function whose({ origin, created_by: author }: Schemas["RevisionOut"], me: string): string {
  if (origin === "model") return t("extraction.byTheModel");
  if (origin === "spread") return t("extraction.byACorrectionElsewhere");
  return author === me ? t("extraction.byYou") : t("extraction.byAnotherMember");
}

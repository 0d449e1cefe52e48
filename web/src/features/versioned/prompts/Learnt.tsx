import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button, IconButton } from "@/components/Button";
import { Checkbox } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { useForgetting, useLearningSwitch, useLearnt } from "@/lib/api/learning";
import type { LearntFrom } from "@/lib/api/learning";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { useRights } from "@/lib/rights";

import { byField } from "./learnt";

/** What the prompt learnt from verified documents: by field, from which; switched off, and forgotten. */
export function Learnt({ promptId }: { promptId: string }) {
  const { data: documents, error, refetch } = useLearnt(promptId);
  return (
    <div className="flex flex-col gap-4 p-3 sm:p-4">
      <p className="text-sm text-muted">
        {t("prompts.fromEveryVerifiedDocumentTheBuilt")}
      </p>
      <Switch />
      {error && <ErrorNote what={t("prompts.whatWasLearntCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!documents && !error && <Loading what={t("prompts.whatWasLearnt")} />}
      {documents?.length === 0 && <p>{t("prompts.nothingWasLearntYetCorrectOr")}</p>}
      {documents && documents.length > 0 && (
        <>
          <Fields documents={documents} />
          <Documents promptId={promptId} documents={documents} />
          <ForgetAll promptId={promptId} />
        </>
      )}
    </div>
  );
}

function Switch() {
  const { query, set } = useLearningSwitch();
  const { adminsOnly } = useRights();
  if (!query.data) return null;
  return (
    <div className="flex flex-col gap-1">
      <Checkbox
        label={t("prompts.learnFromWhatWeVerifyIn")}
        checked={query.data.enabled}
        aria-disabled={adminsOnly !== false}
        onChange={(event) => !adminsOnly && set.mutate(event.target.checked)}
      />
      {adminsOnly && <p className="text-sm text-muted">{adminsOnly}</p>}
      {!query.data.enabled && <p className="text-sm text-muted">{t("prompts.itIsOffWhatWasLearnt")}</p>}
      {set.error && <ErrorNote what={t("common.couldNotSaveThis")} error={set.error} onDismiss={() => set.reset()} />}
    </div>
  );
}

function Fields({ documents }: { documents: LearntFrom[] }) {
  return (
    <section aria-labelledby="learnt-fields" className="flex flex-col gap-1">
      <h2 id="learnt-fields" className="text-base">
        {t("prompts.byField")}
      </h2>
      <ul className="divide-y rounded-lg border bg-surface">
        {byField(documents).map((field) => (
          <li key={field.path} className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5">
            <span className="min-w-32 flex-1 font-medium">{field.label}</span>
            <span className="text-sm text-muted">
              {t("prompts.learntFromCountDocument", { documents: field.documents })}
              {field.right + field.wrong > 0 && t("prompts.rightInRightOfRight2Others", { right: field.right, right2: field.right + field.wrong })}
            </span>
            {field.doubtful > 0 && <Badge tone="bad">{t("prompts.doubtfulNotUsed", { doubtful: field.doubtful })}</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Documents({ promptId, documents }: { promptId: string; documents: LearntFrom[] }) {
  const orgPath = useOrgPath();
  const { one } = useForgetting(promptId);
  return (
    <section aria-labelledby="learnt-documents" className="flex flex-col gap-1">
      <h2 id="learnt-documents" className="text-base">
        {t("prompts.fromTheseDocuments")}
      </h2>
      {one.error && <ErrorNote what={t("prompts.nothingWasForgotten")} error={one.error} onDismiss={() => one.reset()} />}
      <ul className="divide-y rounded-lg border bg-surface">
        {documents.map((document) => (
          <li key={document.document_id} className="flex items-center gap-2 py-1 pr-1 pl-3">
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <Link to={orgPath(`documents/${document.document_id}`)} className="wrap-anywhere text-accent underline underline-offset-2">
                {document.document_name}
              </Link>
              <span className="text-sm text-muted">
                {t("common.countField", { count: document.fields.length })}, <RelativeTime date={document.learnt_at} />
              </span>
              {document.doubtful && <Badge tone="bad">{t("prompts.otherDocumentsContradictIt")}</Badge>}
            </span>
            <IconButton small icon={Trash2} label={t("prompts.forgetWhatDocumentNameTaught", { documentName: document.document_name })} onClick={() => one.mutate(document.document_id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ForgetAll({ promptId }: { promptId: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const { all } = useForgetting(promptId);
  const { adminsOnly } = useRights();
  return (
    <div className="flex flex-col items-start gap-2">
      {isAsking ? (
        <div role="group" aria-label={t("prompts.forgetEverything")} className="flex flex-wrap items-center gap-2 rounded-md border p-2">
          <p className="min-w-48 flex-1">{t("prompts.forgetWhatWasLearntFromAll")}</p>
          <Button small variant="danger" busy={all.isPending && t("prompts.forgetting")} onClick={() => all.mutate(undefined, { onSuccess: () => setIsAsking(false) })}>
            {t("prompts.forgetEverything")}
          </Button>
          <Button small onClick={() => setIsAsking(false)}>
            {t("prompts.keepIt")}
          </Button>
        </div>
      ) : (
        <Button small variant="danger" disabledBecause={adminsOnly} onClick={() => setIsAsking(true)}>
          {t("prompts.forgetEverything")}
        </Button>
      )}
      {all.error && <ErrorNote what={t("prompts.nothingWasForgotten")} error={all.error} onDismiss={() => all.reset()} />}
    </div>
  );
}

import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Select } from "@/components/Field";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import type { Result } from "@/lib/api/results";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { toast } from "@/lib/toasts";

import { FormView } from "./FormView";
import { defaultsOf, mistakesOf, settled } from "./formio";
import { prefilled } from "./prefill";
import { componentsOf, useForms, useSubmission } from "./useForms";

import type { Values } from "./formio";
import type { Form } from "./useForms";

interface FormsTabProps {
  document: Document;
  results: Result[] | undefined;
}

/** The forms that share a tag with the document. */
export function FormsTab({ document, results }: FormsTabProps) {
  const { data: forms, error, refetch } = useForms();
  const orgPath = useOrgPath();
  const [chosen, setChosen] = useState<string | null>(null);
  if (error) return <ErrorNote className="m-4" what={t("forms.theFormsCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!forms || !results) return <Loading what={t("forms.theForms")} />;
  const matching = forms.filter((form) => form.tag_ids.some((id) => document.tag_ids.includes(id)));
  const form = matching.find((item) => item.form_id === chosen) ?? matching[0];
  if (!form) {
    return (
      <EmptyState title={t("forms.noFormSharesATagWith")}>
        <Link to={orgPath("forms")} className="text-accent underline">
          {t("forms.goToTheForms")}
        </Link>
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3 p-4">
      {matching.length > 1 && (
        <Select aria-label={t("common.form")} value={form.form_id} onChange={(event) => setChosen(event.target.value)}>
          {matching.map((item) => (
            <option key={item.form_id} value={item.form_id}>
              {item.name}
            </option>
          ))}
        </Select>
      )}
      <DocumentForm key={form.form_revid} form={form} documentId={document.id} results={results} />
    </div>
  );
}

interface DocumentFormProps {
  form: Form;
  documentId: string;
  results: Result[];
}

function DocumentForm({ form, documentId, results }: DocumentFormProps) {
  const { submission, submit, remove } = useSubmission(documentId, form.form_revid);
  const [typed, setTyped] = useState<Values | null>(null);
  const [mistakes, setMistakes] = useState<Record<string, string>>({});
  if (submission.error) return <ErrorNote what={t("forms.theFormCannotBeShown")} error={submission.error} onRetry={() => void submission.refetch()} />;
  if (submission.data === undefined) return <Loading what={t("forms.theForm")} />;
  const stored = submission.data;
  const components = componentsOf(form.response_format);
  const begun = { ...defaultsOf(components), ...prefilled(components, form.response_format.json_formio_mapping, results) };
  const values = typed ?? stored?.submission_data ?? begun;
  const send = (): void => {
    const data = settled(components, values);
    const found = mistakesOf(components, data);
    setMistakes(found);
    if (Object.keys(found).length) return;
    submit.mutate(data, {
      onSuccess: () => {
        setTyped(null);
        toast(stored ? t("forms.theFormIsUpdated") : t("forms.theFormIsSubmitted"));
      },
    });
  };
  return (
    <form
      noValidate
      aria-label={form.name}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <header>
        <h2 className="text-base">{form.name}</h2>
        <p className="text-sm text-muted">
          {stored ? (
            <>
              {t("forms.submittedBySubmittedBy", { submittedBy: stored.submitted_by ?? "someone" })}{" "}<RelativeTime date={stored.updated_at} />
            </>
          ) : (
            t("forms.filledFromTheExtractionWhereThe")
          )}
        </p>
      </header>
      <FormView
        components={components}
        values={values}
        mistakes={mistakes}
        onChange={(next) => {
          setTyped(next);
          setMistakes({});
        }}
      />
      {!components.length && <p className="text-muted">{t("forms.thisFormHasNoFieldsYet")}</p>}
      {Object.keys(mistakes).length > 0 && <ErrorNote what={t("forms.theFormIsNotSent")} error={t("forms.lookAtTheFieldsThatAre")} />}
      {submit.error && <ErrorNote what={t("forms.theFormIsNotSentWhat")} error={submit.error} />}
      {remove.error && <ErrorNote what={t("forms.theSubmissionIsStillThere")} error={remove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={submit.isPending && t("common.sending")}>
          {stored ? t("forms.update") : t("forms.submit")}
        </Button>
        {typed && (
          <Button variant="quiet" onClick={() => setTyped(null)}>
            {t("forms.dropTheChanges")}
          </Button>
        )}
        {stored && (
          <Button variant="danger" busy={remove.isPending && t("common.deleting")} onClick={() => remove.mutate(undefined, { onSuccess: () => setTyped(null) })}>
            {t("forms.deleteTheSubmission")}
          </Button>
        )}
      </div>
    </form>
  );
}

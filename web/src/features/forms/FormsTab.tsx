import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Select } from "@/components/Field";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import type { Result } from "@/lib/api/results";
import type { Document } from "@/lib/documentState";
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
  if (error) return <ErrorNote className="m-4" what="The forms cannot be shown." error={error} onRetry={() => void refetch()} />;
  if (!forms || !results) return <Loading what="the forms" />;
  const matching = forms.filter((form) => form.tag_ids.some((id) => document.tag_ids.includes(id)));
  const form = matching.find((item) => item.form_id === chosen) ?? matching[0];
  if (!form) {
    return (
      <EmptyState title="No form shares a tag with this document.">
        <Link to={orgPath("forms")} className="text-accent underline">
          Go to the forms
        </Link>
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3 p-4">
      {matching.length > 1 && (
        <Select aria-label="Form" value={form.form_id} onChange={(event) => setChosen(event.target.value)}>
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
  if (submission.error) return <ErrorNote what="The form cannot be shown." error={submission.error} onRetry={() => void submission.refetch()} />;
  if (submission.data === undefined) return <Loading what="the form" />;
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
        toast(stored ? "The form is updated." : "The form is submitted.");
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
              Submitted by {stored.submitted_by ?? "someone"}, <RelativeTime date={stored.updated_at} />
            </>
          ) : (
            "Filled from the extraction where the form says so; not submitted yet."
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
      {!components.length && <p className="text-muted">This form has no fields yet.</p>}
      {Object.keys(mistakes).length > 0 && <ErrorNote what="The form is not sent." error="Look at the fields that are marked." />}
      {submit.error && <ErrorNote what="The form is not sent; what you typed is still here." error={submit.error} />}
      {remove.error && <ErrorNote what="The submission is still there." error={remove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={submit.isPending && "Sending"}>
          {stored ? "Update" : "Submit"}
        </Button>
        {typed && (
          <Button variant="quiet" onClick={() => setTyped(null)}>
            Drop the changes
          </Button>
        )}
        {stored && (
          <Button variant="danger" busy={remove.isPending && "Deleting"} onClick={() => remove.mutate(undefined, { onSuccess: () => setTyped(null) })}>
            Delete the submission
          </Button>
        )}
      </div>
    </form>
  );
}

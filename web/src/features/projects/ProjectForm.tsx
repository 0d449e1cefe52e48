import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input, Textarea } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { ApiError } from "@/lib/api/errors";
import { t } from "@/lib/i18n";

import { MOST_NAME_CHARACTERS } from "./NameForm";

const MOST_DESCRIPTION_CHARACTERS = 10_000;

export interface ProjectValues {
  name: string;
  description: string;
}

interface ProjectFormProps {
  initial?: ProjectValues;
  submit: string;
  busy: string;
  onSubmit: (values: ProjectValues) => Promise<void>;
  onCancel: () => void;
}

export function ProjectForm({ initial, submit, busy, onSubmit, onCancel }: ProjectFormProps) {
  const [values, setValues] = useState<ProjectValues>(initial ?? { name: "", description: "" });
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const fields = error instanceof ApiError ? error.fields : {};
  const save = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      await onSubmit({ name: values.name.trim(), description: values.description.trim() });
    } catch (reason) {
      setError(reason);
      setIsBusy(false);
    }
  };
  return (
    <form
      aria-label={submit}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t("common.name")} error={fields.name}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            required
            maxLength={MOST_NAME_CHARACTERS}
            placeholder={t("projects.suchAsMoveToTheNew")}
            value={values.name}
            onChange={(event) => setValues({ ...values, name: event.target.value })}
            onKeyDown={(event) => event.key === "Escape" && onCancel()}
            className="sm:max-w-96"
          />
        )}
      </Field>
      <Field label={t("common.description")} hint={t("projects.whatItIsAboutOptional")} error={fields.description}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={MOST_DESCRIPTION_CHARACTERS}
            value={values.description}
            onChange={(event) => setValues({ ...values, description: event.target.value })}
          />
        )}
      </Field>
      {error !== null && !Object.keys(fields).length && <ErrorNote what={t("projects.nothingWasSaved")} error={error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={isBusy && busy}>
          {submit}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}

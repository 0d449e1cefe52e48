import { Link, useNavigate } from "@tanstack/react-router";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { RelativeTime } from "@/components/RelativeTime";
import { TagChip } from "@/components/TagChip";
import { useTags } from "@/lib/api/tags";
import { useCommands } from "@/lib/commands";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";

import { inputsOf } from "./formio";
import { componentsOf, useDeleteForm, useForms } from "./useForms";

import type { Form } from "./useForms";

export default function FormsPage() {
  const { data: forms, error, refetch } = useForms();
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const create = (): void => void navigate({ to: orgPath("forms/new") });
  useShortcut({ keys: "n", does: t("forms.createAForm"), group: t("common.forms") }, create);
  useCommands([{ id: "forms.create", label: t("forms.createAForm"), keys: "n", run: create }]);
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-3">
      <PageHeader title={t("common.forms")}>
        <Button variant="primary" icon={Plus} onClick={create}>
          {t("forms.createForm")}
        </Button>
      </PageHeader>
      <p className="text-muted">
        {t("forms.aFormIsOfferedOnEvery")}
      </p>
      {error && <ErrorNote what={t("forms.theFormsCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!forms && !error && <Loading what={t("forms.yourForms")} />}
      {forms?.length === 0 && <EmptyState title={t("forms.thereAreNoFormsYetCreate")} />}
      {forms && forms.length > 0 && (
        <ul aria-label={t("common.forms")} className="divide-y rounded-lg border bg-surface">
          {forms.map((form) => (
            <FormRow key={form.form_id} form={form} />
          ))}
        </ul>
      )}
    </div>
  );
}

function FormRow({ form }: { form: Form }) {
  const orgPath = useOrgPath();
  const { data: tags = [] } = useTags();
  const remove = useDeleteForm();
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <li className="flex flex-col gap-2 px-3 py-1.5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <Link to={orgPath(`forms/${form.form_id}`)} className="min-w-0 truncate font-medium hover:text-accent hover:underline">
          {form.name}
        </Link>
        <span className="text-sm text-muted">
          {t("forms.versionFormVersionCountField", { formVersion: form.form_version, count: inputsOf(componentsOf(form.response_format)).length })}
        </span>
        {tags
          .filter((tag) => form.tag_ids.includes(tag.id))
          .map((tag) => (
            <TagChip key={tag.id} name={tag.name} color={tag.color} />
          ))}
        <span className="ml-auto text-sm text-muted">
          <RelativeTime date={form.created_at} />
        </span>
        <IconButton small icon={Trash2} label={t("common.deleteName2", { name: form.name })} onClick={() => setIsDeleting(true)} />
      </div>
      {isDeleting && (
        <div role="group" aria-label={t("common.deleteName", { name: form.name })} className="flex flex-wrap items-center gap-2">
          <span>{t("forms.deleteTheFormNameWithAll", { name: form.name })}</span>
          <Button small variant="danger" autoFocus busy={remove.isPending && t("common.deleting")} onClick={() => remove.mutate(form.form_id)}>
            {t("forms.deleteForm")}
          </Button>
          <Button small variant="quiet" onClick={() => setIsDeleting(false)}>
            {t("common.keep")}
          </Button>
        </div>
      )}
      {remove.error && <ErrorNote what={t("forms.theFormIsStillHere")} error={remove.error} />}
    </li>
  );
}

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
import { plural } from "@/lib/format";
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
  useShortcut({ keys: "n", does: "Create a form", group: "Forms" }, create);
  useCommands([{ id: "forms.create", label: "Create a form", keys: "n", run: create }]);
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-3">
      <PageHeader title="Forms">
        <Button variant="primary" icon={Plus} onClick={create}>
          Create form
        </Button>
      </PageHeader>
      <p className="text-muted">
        A form is offered on every document that shares a tag with it, filled in from what was extracted there.
      </p>
      {error && <ErrorNote what="The forms cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!forms && !error && <Loading what="your forms" />}
      {forms?.length === 0 && <EmptyState title="There are no forms yet. Create one from Form.io JSON." />}
      {forms && forms.length > 0 && (
        <ul aria-label="Forms" className="divide-y rounded-lg border bg-surface">
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
          version {form.form_version}, {plural(inputsOf(componentsOf(form.response_format)).length, "field")}
        </span>
        {tags
          .filter((tag) => form.tag_ids.includes(tag.id))
          .map((tag) => (
            <TagChip key={tag.id} name={tag.name} color={tag.color} />
          ))}
        <span className="ml-auto text-sm text-muted">
          <RelativeTime date={form.created_at} />
        </span>
        <IconButton small icon={Trash2} label={`Delete ${form.name}`} onClick={() => setIsDeleting(true)} />
      </div>
      {isDeleting && (
        <div role="group" aria-label={`Delete ${form.name}?`} className="flex flex-wrap items-center gap-2">
          <span>Delete the form {form.name} with all its versions?</span>
          <Button small variant="danger" autoFocus busy={remove.isPending && "Deleting"} onClick={() => remove.mutate(form.form_id)}>
            Delete form
          </Button>
          <Button small variant="quiet" onClick={() => setIsDeleting(false)}>
            Keep
          </Button>
        </div>
      )}
      {remove.error && <ErrorNote what="The form is still here." error={remove.error} />}
    </li>
  );
}

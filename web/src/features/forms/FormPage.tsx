import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";

import { Button } from "@/components/Button";
import { CodeEditor } from "@/components/CodeEditor";
import { Field, Input, Select } from "@/components/Field";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { Popover } from "@/components/Popover";
import { Split } from "@/components/Split";
import { TagChip } from "@/components/TagChip";
import { TagPicker } from "@/components/TagPicker";
import { useCreateTag, useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { fullTime } from "@/lib/time";
import { useTitle } from "@/lib/title";
import { toast } from "@/lib/toasts";
import { useIsNarrow } from "@/lib/width";

import { Builder } from "./Builder";
import { FormView } from "./FormView";
import { asText, EXAMPLE, parsedFormat } from "./draft";
import { defaultsOf } from "./formio";
import { componentsOf, useFormVersions, useSaveForm } from "./useForms";

import type { Values } from "./formio";
import type { Form, FormFormat } from "./useForms";

/** One form: its fields on one side; what it looks like, and its JSON, on the other. */
export default function FormPage() {
  const { formId = "new" }: { formId?: string } = useParams({ strict: false });
  const isNew = formId === "new";
  const { data: versions, error, refetch } = useFormVersions(isNew ? null : formId);
  if (error) return <ErrorNote className="m-4" what={t("forms.theFormCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!isNew && !versions) return <Loading what={t("forms.theForm")} />;
  if (!isNew && !versions?.length) return <EmptyState title={t("forms.thisFormDoesNotExistOr")} />;
  return <Editor key={`${formId} ${versions?.length ?? 0}`} formId={isNew ? null : formId} versions={versions ?? []} />;
}

const MOST_STEPS = 100;

function Editor({ formId, versions }: { formId: string | null; versions: Form[] }) {
  const newest = versions[0];
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const { data: tags = [] } = useTags();
  const createTag = useCreateTag();
  const save = useSaveForm(formId);
  const [shown, setShown] = useState(newest?.form_revid ?? "");
  const [name, setName] = useState(newest?.name ?? "");
  const [tagIds, setTagIds] = useState(newest?.tag_ids ?? []);
  const [text, setText] = useState(() => asText(newest?.response_format ?? EXAMPLE));
  useTitle(newest?.name ?? t("forms.newForm"));
  const parsed = parsedFormat(text);
  const [preview, setPreview] = useState<FormFormat>(newest?.response_format ?? EXAMPLE);
  const format = "format" in parsed ? parsed.format : preview;
  const type = (next: string): void => {
    setText(next);
    const read = parsedFormat(next);
    if ("format" in read) setPreview(read.format);
  };
  const store = (): void => {
    if (!("format" in parsed)) return;
    save.mutate(
      { name: name.trim(), response_format: parsed.format, tag_ids: tagIds },
      {
        onSuccess: (form) => {
          toast(t("forms.nameIsSavedAsVersionFormVersion", { name: form.name, formVersion: form.form_version }));
          if (formId === null) void navigate({ to: orgPath(`forms/${form.form_id}`), replace: true });
        },
      },
    );
  };
  const show = (version: Form): void => {
    setShown(version.form_revid);
    type(asText(version.response_format));
  };
  const [past, setPast] = useState<readonly string[]>([]);
  const build = (next: FormFormat): void => {
    setPast([...past.slice(-MOST_STEPS), text]);
    type(asText(next));
  };
  const last = past.at(-1);
  const undo = (): void => {
    setPast(past.slice(0, -1));
    if (last !== undefined) type(last);
  };
  const fields = (
    <Builder
      format={format}
      onFormat={build}
      blocked={"error" in parsed && t("forms.fixTheJsonFirstTheFields")}
      onUndo={last === undefined ? null : undo}
    />
  );
  const code = (
    <div className="flex min-h-72 flex-1 flex-col overflow-y-auto border-t bg-surface">
      {"error" in parsed && <ErrorNote className="m-2" error={parsed.error} />}
      <CodeEditor label={t("forms.theFormAsJson")} value={text} onChange={type} minHeight="100%" className="flex-1" />
    </div>
  );
  const look = (
    <section aria-label={t("forms.preview")} className="min-h-0 flex-1 overflow-y-auto p-4">
      <Preview key={JSON.stringify(format)} format={format} />
    </section>
  );
  return (
    <>
      <header className="flex flex-wrap items-end gap-3 border-b bg-surface px-4 py-2">
        <div className="flex h-8 items-center gap-1 text-muted">
          <Link to={orgPath("forms")} className="hover:text-ink hover:underline">
            {t("common.forms")}
          </Link>
          <span aria-hidden>/</span>
          <h1 className="sr-only">{newest?.name ?? t("forms.newForm")}</h1>
        </div>
        <Field label={t("common.name")} hideLabel className="w-56">
          {(control) => <Input {...control} placeholder={t("forms.nameOfTheForm")} required value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <div className="flex min-h-8 flex-wrap items-center gap-1">
          {tags
            .filter((tag) => tagIds.includes(tag.id))
            .map((tag) => (
              <TagChip key={tag.id} name={tag.name} color={tag.color} onRemove={() => setTagIds(tagIds.filter((id) => id !== tag.id))} />
            ))}
          <Popover label={t("forms.tagsOfTheForm")} trigger={<Button small>{t("common.tags")}</Button>}>
            <TagPicker tags={tags} selected={tagIds} onChange={setTagIds} onCreate={async (wanted) => (await createTag.mutateAsync({ name: wanted })).id} />
          </Popover>
        </div>
        {versions.length > 1 && (
          <Select
            aria-label={t("common.version")}
            className="!w-auto"
            value={shown}
            onChange={(event) => {
              const version = versions.find((item) => item.form_revid === event.target.value);
              if (version) show(version);
            }}
          >
            {versions.map((version) => (
              <option key={version.form_revid} value={version.form_revid}>
                {t("forms.versionFormVersionFullTime", { formVersion: version.form_version, fullTime: fullTime(new Date(version.created_at)) })}
              </option>
            ))}
          </Select>
        )}
        <Button
          variant="primary"
          className="ml-auto"
          busy={save.isPending && t("common.saving")}
          disabledBecause={"error" in parsed ? t("forms.theJsonHasAnError") : !name.trim() && t("forms.giveTheFormAName")}
          onClick={store}
        >
          {formId === null ? t("forms.createForm") : t("forms.saveNewVersion")}
        </Button>
        {save.error && <ErrorNote className="basis-full" what={t("forms.theFormIsNotSavedWhat")} error={save.error} />}
      </header>
      {isNarrow ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {fields}
          {look}
          {code}
        </div>
      ) : (
        <Split
          name="form"
          label={t("forms.widthOfTheFields")}
          initial={55}
          className="flex-1"
          left={fields}
          right={
            <div className="flex min-h-0 flex-1 flex-col">
              {look}
              {code}
            </div>
          }
        />
      )}
    </>
  );
}

function Preview({ format }: { format: FormFormat }) {
  const components = componentsOf(format);
  const [values, setValues] = useState<Values>(() => defaultsOf(components));
  return (
    <div className="mx-auto flex max-w-xl flex-col gap-3 rounded-lg border bg-surface p-4">
      <h2 className="text-sm text-muted">{t("forms.preview")}</h2>
      {components.length ? <FormView components={components} values={values} onChange={setValues} /> : <p className="text-muted">{t("forms.nothingToShowYet")}</p>}
    </div>
  );
}

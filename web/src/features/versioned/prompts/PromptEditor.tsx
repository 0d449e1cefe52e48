import { PROMPTS } from "@/lib/api/prompts";
import type { Prompt } from "@/lib/api/prompts";
import { t } from "@/lib/i18n";

import { Editor } from "../Editor";
import { versionsTab } from "../Versions";
import { useEditing } from "../useEditing";

import { Learnt } from "./Learnt";
import { PromptDiff } from "./PromptDiff";
import { PromptForm } from "./PromptForm";
import { RunPane } from "./RunPane";
import { TryPrompt } from "./TryPrompt";
import { bodyOf, EDITABLE, sameValues, valuesOf } from "./values";

import type { EditorProps } from "../OnePage";

/** The instruction and what belongs to it on the left; a run and the versions on the right. */
export function PromptEditor({ id, versions }: EditorProps<Prompt>) {
  const newest = versions[0] ?? null;
  const editing = useEditing(PROMPTS, id, newest, EDITABLE);
  const { values, before, change, isDirty } = editing;
  const name = values.name.trim();
  const tabs = newest
    ? [
        {
          value: "run",
          label: t("prompts.runOnADocument"),
          command: t("prompts.runThePromptOnADocument"),
          content: <RunPane prompt={newest} isDirty={isDirty} />,
        },
        {
          value: "accuracy",
          label: t("common.accuracy"),
          command: t("prompts.measureThePromptOnVerifiedDocuments"),
          content: <TryPrompt promptId={newest.prompt_id} values={values} before={before} />,
        },
        { value: "learnt", label: t("prompts.learnt"), command: t("prompts.whatThePromptLearnt"), content: <Learnt promptId={newest.prompt_id} /> },
        versionsTab({
          kind: PROMPTS,
          versions,
          difference: (one, other, label) => <PromptDiff label={label} before={valuesOf(one)} after={valuesOf(other)} />,
        }),
      ]
    : [];
  return (
    <Editor
      kind={PROMPTS}
      id={id}
      versions={versions}
      editing={editing}
      example={t("prompts.supplierInvoices")}
      onName={(typed) => change({ name: typed })}
      hindrance={name === "" ? t("prompts.giveThePromptANameFirst") : values.content.trim() === "" ? t("prompts.writeWhatToLookForFirst") : null}
      toSave={{
        body: bodyOf(values, editing.base),
        isNamesake: (prompt) => prompt.name === name,
        onlyRenames: sameValues({ ...values, name: before.name }, before),
        difference: (namesake) => <PromptDiff label={t("common.whatChanges")} before={namesake ? valuesOf(namesake) : before} after={values} />,
      }}
      main={{ value: "prompt", label: t("common.prompt"), content: <PromptForm values={values} onChange={change} newest={newest} /> }}
      tabs={tabs}
    />
  );
}

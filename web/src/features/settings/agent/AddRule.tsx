import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { useAgentTools } from "@/lib/api/agent";
import { useDocumentSearch } from "@/lib/api/documents";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { NarrowRule, NOT_NARROWED } from "./NarrowRule";
import { toolName } from "./RuleTable";
import { useAddRule } from "./useRules";

import type { NewRule } from "./useRules";

const EFFECTS = [
  { value: "deny", get label() { return t("rules.refuseIt"); } },
  { value: "ask", get label() { return t("rules.alwaysAsk"); } },
  { value: "allow", get label() { return t("rules.runWithoutAsking"); } },
] as const;

/** A rule for everyone. The list of tools is asked of any document, for it is the same for all. */
export function AddRule() {
  const { data: documents, error: noDocuments } = useDocumentSearch("");
  const { data: tools, error: noTools } = useAgentTools(documents?.[0] ? { kind: "document", id: documents[0].id } : null);
  const cannotList = documents?.length === 0 || Boolean(noDocuments ?? noTools);
  const [tool, setTool] = useState("");
  const [effect, setEffect] = useState<NewRule["effect"]>("deny");
  const [isNarrowing, setIsNarrowing] = useState(false);
  const [narrowing, setNarrowing] = useState(NOT_NARROWED);
  const add = useAddRule();
  const unwritten = Object.keys(narrowing.arguments).find((name) => narrowing.arguments[name] === "");
  const chooseTool = (name: string): void => {
    setTool(name);
    setNarrowing({ ...narrowing, arguments: {} });
  };
  const startOver = (): void => {
    setTool("");
    setNarrowing(NOT_NARROWED);
    setIsNarrowing(false);
  };
  return (
    <form
      aria-label={t("rules.addARule")}
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (unwritten) return;
        add.mutate(
          { tool, effect, scope: "everyone", document_id: narrowing.document?.id, arguments: narrowing.arguments },
          {
            onSuccess: () => {
              startOver();
              toast(t("rules.ruleAdded"));
            },
          },
        );
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Field label={t("rules.whenTheAgentWantsTo")} className="min-w-52 flex-1">
          {(control) =>
            cannotList ? (
              <Input {...control} required placeholder={t("rules.aToolsNameOrForAll")} value={tool} onChange={(event) => chooseTool(event.target.value)} />
            ) : (
              <Select {...control} required disabled={!tools} value={tool} onChange={(event) => chooseTool(event.target.value)}>
                <option value="">{tools ? t("rules.chooseATool") : t("rules.loadingTheTools")}</option>
                <option value="*">{toolName("*")}</option>
                <Tools label={t("rules.changesSomething")} names={tools?.read_write ?? []} />
                <Tools label={t("rules.onlyReads")} names={tools?.read_only ?? []} />
              </Select>
            )
          }
        </Field>
        <Field label={t("rules.then")} className="min-w-44">
          {(control) => (
            <Select {...control} value={effect} onChange={(event) => setEffect(event.target.value as NewRule["effect"])}>
              {EFFECTS.map((item) => (
                <option key={item.value} value={item.value}>
                  {item.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button
          type="submit"
          variant="primary"
          busy={add.isPending && t("common.adding")}
          disabledBecause={unwritten && t("rules.writeTheValueOfUnwrittenFirst", { unwritten: words(unwritten).toLowerCase() })}
        >
          {t("rules.addRule")}
        </Button>
      </div>
      {isNarrowing ? (
        <NarrowRule tool={tools?.tools.find((one) => one.name === tool)} narrowing={narrowing} onChange={setNarrowing} />
      ) : (
        <Button small variant="quiet" className="self-start" onClick={() => setIsNarrowing(true)}>
          {t("rules.onlyForOneDocumentOrCertain")}
        </Button>
      )}
      {add.error && <ErrorNote what={t("rules.noRuleWasAdded")} error={add.error} />}
    </form>
  );
}

function Tools({ label, names }: { label: string; names: string[] }) {
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={name} lang="en">
          {toolName(name)}
        </option>
      ))}
    </optgroup>
  );
}

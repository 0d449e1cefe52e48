import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { useAgentTools } from "@/lib/api/agent";
import { useDocumentSearch } from "@/lib/api/documents";
import { toast } from "@/lib/toasts";

import { toolName } from "./RuleTable";
import { useAddRule } from "./useRules";

import type { NewRule } from "./useRules";

const EFFECTS = [
  { value: "deny", label: "Refuse it" },
  { value: "ask", label: "Always ask" },
  { value: "allow", label: "Run without asking" },
] as const;

/** A rule for everyone. The list of tools is asked of any document, for it is the same for all. */
export function AddRule() {
  const { data: documents, error: noDocuments } = useDocumentSearch("");
  const { data: tools, error: noTools } = useAgentTools(documents?.[0]?.id ?? null);
  const cannotList = documents?.length === 0 || Boolean(noDocuments ?? noTools);
  const [tool, setTool] = useState("");
  const [effect, setEffect] = useState<NewRule["effect"]>("deny");
  const add = useAddRule();
  return (
    <form
      aria-label="Add a rule"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(
          { tool, effect, scope: "everyone" },
          {
            onSuccess: () => {
              setTool("");
              toast("The rule holds from now on.");
            },
          },
        );
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Field label="When the agent wants to" className="min-w-52 flex-1">
          {(control) =>
            cannotList ? (
              <Input {...control} required placeholder="A tool's name, or * for all" value={tool} onChange={(event) => setTool(event.target.value)} />
            ) : (
              <Select {...control} required disabled={!tools} value={tool} onChange={(event) => setTool(event.target.value)}>
                <option value="">{tools ? "Choose a tool" : "Loading the tools"}</option>
                <option value="*">{toolName("*")}</option>
                <Tools label="Changes something" names={tools?.read_write ?? []} />
                <Tools label="Only reads" names={tools?.read_only ?? []} />
              </Select>
            )
          }
        </Field>
        <Field label="then" className="min-w-44">
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
        <Button type="submit" variant="primary" busy={add.isPending && "Adding"}>
          Add rule
        </Button>
      </div>
      {add.error && <ErrorNote what="No rule was added." error={add.error} />}
    </form>
  );
}

function Tools({ label, names }: { label: string; names: string[] }) {
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={name}>
          {toolName(name)}
        </option>
      ))}
    </optgroup>
  );
}

import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { useAgentTools } from "@/lib/api/agent";
import { useDocumentSearch } from "@/lib/api/documents";
import { words } from "@/lib/format";
import { toast } from "@/lib/toasts";

import { NarrowRule, NOT_NARROWED } from "./NarrowRule";
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
  const startAnew = (): void => {
    setTool("");
    setNarrowing(NOT_NARROWED);
    setIsNarrowing(false);
  };
  return (
    <form
      aria-label="Add a rule"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (unwritten) return;
        add.mutate(
          { tool, effect, scope: "everyone", document_id: narrowing.document?.id, arguments: narrowing.arguments },
          {
            onSuccess: () => {
              startAnew();
              toast("Rule added.");
            },
          },
        );
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Field label="When the agent wants to" className="min-w-52 flex-1">
          {(control) =>
            cannotList ? (
              <Input {...control} required placeholder="A tool's name, or * for all" value={tool} onChange={(event) => chooseTool(event.target.value)} />
            ) : (
              <Select {...control} required disabled={!tools} value={tool} onChange={(event) => chooseTool(event.target.value)}>
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
        <Button
          type="submit"
          variant="primary"
          busy={add.isPending && "Adding"}
          disabledBecause={unwritten && `Write the value of ${words(unwritten).toLowerCase()} first.`}
        >
          Add rule
        </Button>
      </div>
      {isNarrowing ? (
        <NarrowRule tool={tools?.tools.find((one) => one.name === tool)} narrowing={narrowing} onChange={setNarrowing} />
      ) : (
        <Button small variant="quiet" className="self-start" onClick={() => setIsNarrowing(true)}>
          Only for one document or certain values
        </Button>
      )}
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

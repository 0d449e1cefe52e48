import { ChevronDown, Cpu, FileText, FolderOpen, ShieldCheck, Wrench, X } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { Checkbox, Field, Input, Select } from "@/components/Field";
import { Popover } from "@/components/Popover";
import { strategyName } from "@/lib/agent/strategies";
import type { Subject } from "@/lib/agent/subject";
import { toolWords } from "@/lib/agent/words";
import { useStrategies } from "@/lib/api/agent";
import type { AgentTool } from "@/lib/api/agent";
import { useChatModels } from "@/lib/api/models";
import { useProjectSearch } from "@/lib/api/projects";
import { cx } from "@/lib/cx";
import { plural } from "@/lib/format";

import { approvalWords } from "./options";
import { useMentionables } from "./useMentionables";

import type { ApprovalMode, Options } from "./options";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

interface MenuProps {
  options: Options;
  onChange: (change: Partial<Options>) => void;
}

export const BUILT_IN = "docagent-offline";

export function modelWords(name: string): string {
  return name === BUILT_IN ? "Built-in model" : name;
}

/** Which model, in which way, in how many steps. */
export function ModelMenu({ options, onChange }: MenuProps) {
  const data = useChatModels();
  const { data: strategies = [] } = useStrategies();
  const effective = options.model ?? data?.defaultModel ?? null;
  const usual = data?.defaultModel ? `Default (${modelWords(data.defaultModel)})` : "Default of the server";
  const strategy = strategies.find((one) => (options.strategy ? one.name === options.strategy : one.default));
  const onlyBuiltIn = data?.models.length === 1 && data.models[0] === BUILT_IN;
  const shown = effective ?? (onlyBuiltIn ? BUILT_IN : null);
  return (
    <Popover label="Model and way of working" trigger={<Trigger icon={Cpu} label={shown ? modelWords(shown) : "Default model"} name="Model" />}>
      <div className="flex flex-col gap-3">
        <Field
          label="Model"
          hint={shown === BUILT_IN ? "The built-in model needs no key: it runs here, by rules. Connect another one in Settings." : undefined}
        >
          {(control) => (
            <Select {...control} value={options.model ?? ""} onChange={(event) => onChange({ model: event.target.value || null })}>
              <option value="">{usual}</option>
              {data?.models.map((name) => (
                <option key={name} value={name}>
                  {modelWords(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Strategy" hint={strategy?.description}>
          {(control) => (
            <Select {...control} value={options.strategy ?? ""} onChange={(event) => onChange({ strategy: event.target.value || null })}>
              {strategies.map((one) => (
                <option key={one.name} value={one.default ? "" : one.name}>
                  {strategyName(one.name)}
                  {one.default ? " (usual)" : ""}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Step limit" hint="Left empty, the server's limit counts.">
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={1000}
              value={options.maxSteps ?? ""}
              onChange={(event) => onChange({ maxSteps: Math.max(0, Math.trunc(Number(event.target.value))) || null })}
            />
          )}
        </Field>
      </div>
    </Popover>
  );
}

const MODES: { mode: ApprovalMode; label: string; hint: string }[] = [
  { mode: "ask", label: "Ask before changes", hint: "Every change waits for you." },
  { mode: "some", label: "Ask, except for some", hint: "What you tick runs at once." },
  { mode: "all", label: "Allow all changes", hint: "Everything runs at once. It is still shown, and can be undone." },
];

/** What may run without asking. */
export function ApprovalMenu({ options, onChange, tools }: MenuProps & { tools: readonly AgentTool[] }) {
  const writing = tools.filter((tool) => tool.access !== "read_only");
  const reading = tools.filter((tool) => tool.access === "read_only");
  const toggle = (name: string): void => onChange({ allowed: toggled(options.allowed, name) });
  return (
    <Popover
      label="Approvals"
      className="w-80"
      trigger={<Trigger icon={ShieldCheck} label={approvalWords(options)} name="Approvals" isMarked={options.approval === "all"} />}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">When the agent wants to change something</legend>
        {MODES.map(({ mode, label, hint }) => (
          <label key={mode} className="flex cursor-pointer items-start gap-2">
            <input
              type="radio"
              name="approval"
              checked={options.approval === mode}
              onChange={() => onChange({ approval: mode })}
              className="mt-1 size-4 accent-(--accent)"
            />
            <span>
              {label}
              <span className="block text-xs text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {options.approval === "some" && (
        <div className="mt-3 border-t pt-2">
          <ul aria-label="Changes that may run at once" className="max-h-56 overflow-y-auto">
            {writing.map((tool) => (
              <li key={tool.name}>
                <Checkbox label={toolWords(tool.name)} checked={options.allowed.includes(tool.name)} onChange={() => toggle(tool.name)} />
              </li>
            ))}
            {reading.length > 0 && (
              <li className="mt-2 text-xs text-muted">
                Never ask, because they only read: {reading.map((tool) => toolWords(tool.name).toLowerCase()).join(", ")}.
              </li>
            )}
          </ul>
        </div>
      )}
    </Popover>
  );
}

/** Which tools the agent gets, and which other documents and projects it may look things up in. */
export function ToolsMenu({ options, onChange, tools, subject }: MenuProps & { tools: readonly AgentTool[]; subject: Subject }) {
  const names = tools.map((tool) => tool.name);
  const selected = options.tools ?? names;
  const count = selected.filter((name) => names.includes(name)).length;
  const label = options.tools === null ? "All tools" : `${count} of ${names.length} tools`;
  const sources = options.sources.length ? `, ${plural(options.sources.length, "more source")}` : "";
  const set = (next: string[]): void => onChange({ tools: next.length === names.length ? null : next });
  return (
    <Popover label="Tools and documents" className="w-80" trigger={<Trigger icon={Wrench} label={`${label}${sources}`} name="Tools" />}>
      <div className="flex flex-col gap-2">
        <div className="flex items-center justify-between">
          <p className="text-sm font-medium">Tools that the agent may use</p>
          <Button small variant="quiet" onClick={() => set(count === names.length ? [] : names)}>
            {count === names.length ? "None" : "All"}
          </Button>
        </div>
        <ul aria-label="Tools" className="max-h-48 overflow-y-auto">
          {tools.map((tool) => (
            <li key={tool.name} className="flex items-center justify-between gap-2 pr-2">
              <Checkbox label={toolWords(tool.name)} checked={selected.includes(tool.name)} onChange={() => set(toggled(selected, tool.name))} />
              <span className="text-xs text-muted">{tool.access === "read_only" ? "reads" : "changes"}</span>
            </li>
          ))}
        </ul>
        <Sources options={options} onChange={onChange} subject={subject} />
      </div>
    </Popover>
  );
}

function Sources({ options, onChange, subject }: MenuProps & { subject: Subject }) {
  const [typed, setTyped] = useState("");
  const documents = useMentionables(typed, subject).filter((item) => item.type === "document");
  const { data: projects = [] } = useProjectSearch(typed.trim());
  const isNew = ({ id }: { id: string }): boolean => id !== subject.id && !options.sources.some((source) => source.id === id);
  const others = [
    ...projects.filter(isNew).slice(0, 3).map((one) => ({ id: one.id, label: one.name, icon: FolderOpen, kind: "project" })),
    ...documents.filter(isNew).slice(0, 5).map((one) => ({ ...one, icon: FileText, kind: "document" })),
  ];
  return (
    <div className="flex flex-col gap-1 border-t pt-2">
      <Field label="Documents and projects to look things up in">
        {(control) => <Input {...control} placeholder="Find a document or a project" value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      <ul aria-label="Chosen sources">
        {options.sources.map((source) => (
          <li key={source.id} className="flex items-center gap-1">
            <span className="min-w-0 flex-1 truncate">{source.name}</span>
            <IconButton
              small
              icon={X}
              label={`Leave out ${source.name}`}
              onClick={() => onChange({ sources: options.sources.filter((one) => one.id !== source.id) })}
            />
          </li>
        ))}
      </ul>
      {typed.trim() &&
        others.map((item) => (
          <Button
            key={item.id}
            small
            className="justify-start overflow-hidden"
            onClick={() => {
              onChange({ sources: [...options.sources, { id: item.id, name: item.label }] });
              setTyped("");
            }}
          >
            <item.icon size={14} aria-hidden className="shrink-0 text-muted" />
            <span className="truncate">{item.label}</span>
            <span className="sr-only">{item.kind}</span>
          </Button>
        ))}
    </div>
  );
}

function toggled(list: readonly string[], name: string): string[] {
  return list.includes(name) ? list.filter((other) => other !== name) : [...list, name];
}

interface TriggerProps extends ComponentProps<"button"> {
  icon: LucideIcon;
  name: string;
  label: string;
  isMarked?: boolean;
}

function Trigger({ icon: Icon, name, label, isMarked, ...rest }: TriggerProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={`${name}: ${label}`}
      className={cx(
        "inline-flex h-7 min-w-0 items-center gap-1 rounded-md px-1.5 text-xs text-muted hover:bg-hover hover:text-ink",
        isMarked && "font-medium text-ink",
      )}
    >
      <Icon size={13} aria-hidden className="shrink-0" />
      <span className="truncate max-sm:sr-only">{label}</span>
      <ChevronDown size={12} aria-hidden className="shrink-0" />
    </button>
  );
}

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
import { t } from "@/lib/i18n";

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
  return name === BUILT_IN ? t("agent.builtInModel") : name;
}

/** Which model, in which way, in how many steps. */
export function ModelMenu({ options, onChange }: MenuProps) {
  const data = useChatModels();
  const { data: strategies = [] } = useStrategies();
  const effective = options.model ?? data?.defaultModel ?? null;
  const usual = data?.defaultModel ? t("agent.defaultDefaultModel", { defaultModel: modelWords(data.defaultModel) }) : t("agent.defaultOfTheServer");
  const strategy = strategies.find((one) => (options.strategy ? one.name === options.strategy : one.default));
  const onlyBuiltIn = data?.models.length === 1 && data.models[0] === BUILT_IN;
  const shown = effective ?? (onlyBuiltIn ? BUILT_IN : null);
  return (
    <Popover label={t("agent.modelAndStrategy")} trigger={<Trigger icon={Cpu} label={shown ? modelWords(shown) : t("common.defaultModel")} name={t("common.model")} />}>
      <div className="flex flex-col gap-3">
        <Field
          label={t("common.model")}
          hint={shown === BUILT_IN ? t("agent.theBuiltInModelNeedsNo") : undefined}
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
        <Field label={t("agent.strategy")} hint={strategy?.description}>
          {(control) => (
            <Select {...control} value={options.strategy ?? ""} onChange={(event) => onChange({ strategy: event.target.value || null })}>
              {strategies.map((one) => (
                <option key={one.name} value={one.default ? "" : one.name}>
                  {strategyName(one.name)}
                  {one.default ? ` ${t("agent.usual")}` : ""}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t("agent.stepLimit")} hint={t("agent.leftEmptyTheServersLimitCounts")}>
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
  { mode: "ask", get label() { return t("agent.askBeforeChanges"); }, get hint() { return t("agent.everyChangeWaitsForYou"); } },
  { mode: "some", get label() { return t("agent.askExceptForSome"); }, get hint() { return t("agent.whatYouTickRunsAtOnce"); } },
  { mode: "all", get label() { return t("agent.allowAllChanges"); }, get hint() { return t("agent.everythingRunsAtOnceItIs"); } },
];

/** What may run without asking. */
export function ApprovalMenu({ options, onChange, tools }: MenuProps & { tools: readonly AgentTool[] }) {
  const writing = tools.filter((tool) => tool.access !== "read_only");
  const reading = tools.filter((tool) => tool.access === "read_only");
  const toggle = (name: string): void => onChange({ allowed: toggled(options.allowed, name) });
  return (
    <Popover
      label={t("agent.approvals")}
      className="w-80"
      trigger={<Trigger icon={ShieldCheck} label={approvalWords(options)} name={t("agent.approvals")} isMarked={options.approval === "all"} />}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">{t("agent.whenTheAgentWantsToChange")}</legend>
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
          <ul aria-label={t("agent.changesThatMayRunAtOnce")} className="max-h-56 overflow-y-auto">
            {writing.map((tool) => (
              <li key={tool.name}>
                <Checkbox label={toolWords(tool.name)} checked={options.allowed.includes(tool.name)} onChange={() => toggle(tool.name)} />
              </li>
            ))}
            {reading.length > 0 && (
              <li className="mt-2 text-xs text-muted">
                {t("agent.neverAskBecauseTheyOnlyRead", { reading: reading.map((tool) => toolWords(tool.name).toLowerCase()).join(", ") })}
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
  const label = options.tools === null ? t("agent.allTools") : t("agent.countOfCount2Tools", { count, count2: names.length });
  const sources = options.sources.length ? t("agent.countMoreSource", { count: options.sources.length }) : "";
  const set = (next: string[]): void => onChange({ tools: next.length === names.length ? null : next });
  return (
    <Popover label={t("agent.toolsAndDocuments")} className="w-80" trigger={<Trigger icon={Wrench} label={`${label}${sources}`} name={t("common.tools")} />}>
      <div className="flex flex-col gap-2">
        <div className="flex items-center justify-between">
          <p className="text-sm font-medium">{t("agent.toolsThatTheAgentMayUse")}</p>
          <Button small variant="quiet" onClick={() => set(count === names.length ? [] : names)}>
            {count === names.length ? t("agent.none") : t("agent.all")}
          </Button>
        </div>
        <ul aria-label={t("common.tools")} className="max-h-48 overflow-y-auto">
          {tools.map((tool) => (
            <li key={tool.name} className="flex items-center justify-between gap-2 pr-2">
              <Checkbox label={toolWords(tool.name)} checked={selected.includes(tool.name)} onChange={() => set(toggled(selected, tool.name))} />
              <span className="text-xs text-muted">{tool.access === "read_only" ? t("agent.reads") : t("agent.changes")}</span>
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
      <Field label={t("agent.documentsAndProjectsToLookThings")}>
        {(control) => <Input {...control} placeholder={t("agent.findADocumentOrAProject")} value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      <ul aria-label={t("agent.chosenSources")}>
        {options.sources.map((source) => (
          <li key={source.id} className="flex items-center gap-1">
            <span className="min-w-0 flex-1 truncate">{source.name}</span>
            <IconButton
              small
              icon={X}
              label={t("agent.leaveOutName", { name: source.name })}
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

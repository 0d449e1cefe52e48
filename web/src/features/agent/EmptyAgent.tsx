import { Sparkles } from "lucide-react";

import { Button } from "@/components/Button";
import type { Subject } from "@/lib/agent/subject";
import { useChatModels } from "@/lib/api/models";
import { t } from "@/lib/i18n";

import { BUILT_IN } from "./OptionMenus";

interface Example {
  title: string;
  hint: string;
  /** What the agent is told. In English in every language: the built-in model reads it. */
  says: string;
  /** Put into the input, to be finished, instead of being sent as it is. */
  isBeginning?: boolean;
}

/** The built-in model understands every one of them. */
const EXAMPLES: Record<Subject["kind"], { about: string; examples: Example[] }> = {
  document: {
    get about() { return t("agent.askAboutThisDocumentOrLet"); },
    examples: [
      { get title() { return t("common.setThisUp"); }, get hint() { return t("agent.aSchemaAPromptAndThe"); }, says: "Set this up" },
      { get title() { return t("agent.whatIsThisDocumentAbout"); }, get hint() { return t("agent.aShortAnswerNothingIsChanged"); }, says: "What is this document about?" },
      { get title() { return t("agent.tagThisAs"); }, get hint() { return t("agent.writeTheTagThenSend"); }, says: "Tag this as ", isBeginning: true },
    ],
  },
  project: {
    get about() { return t("agent.askAboutTheseDocumentsOrSay"); },
    examples: [
      { get title() { return t("agent.createADocumentCalledPlanWith"); }, get hint() { return t("agent.writeWhatGoesIntoItThen"); }, says: "Create a document called Plan with: ", isBeginning: true },
      { get title() { return t("agent.replaceMayWithJuneInPlan"); }, get hint() { return t("agent.writeYourOwnWordsAndDocument"); }, says: "Replace 'May' with 'June' in Plan", isBeginning: true },
      { get title() { return t("agent.whichDocumentsAreThere"); }, get hint() { return t("agent.aShortAnswerNothingIsChanged"); }, says: "Which documents are there?" },
    ],
  },
};

interface EmptyAgentProps {
  about: Subject["kind"];
  /** Sends it as it is. */
  onSend: (text: string) => void;
  /** Puts it into the input, to be finished. */
  onWrite: (text: string) => void;
  blocked: string | false;
}

/** Three things to try, for a user who is here for the first time. */
export function EmptyAgent({ about: kind, onSend, onWrite, blocked }: EmptyAgentProps) {
  const data = useChatModels();
  const usesBuiltIn = !data || (data.defaultModel ?? data.models[0]) === BUILT_IN || data.models.length === 1;
  const { about, examples } = EXAMPLES[kind];
  return (
    <div className="flex flex-col items-center gap-4 px-2 py-8 text-center">
      <Sparkles size={22} aria-hidden className="text-muted" />
      <p className="max-w-sm text-lg text-muted">{about}</p>
      <ul aria-label={t("agent.thingsToTry")} className="flex w-full max-w-sm flex-col gap-2">
        {examples.map(({ title, hint, says, isBeginning }) => (
          <li key={title}>
            <Button
              className="h-auto w-full flex-col !items-start gap-0 px-3 py-2 text-left"
              disabledBecause={!isBeginning && blocked}
              onClick={() => (isBeginning ? onWrite(says) : onSend(says))}
            >
              <span className="whitespace-normal">{title}</span>
              <span className="text-sm font-normal whitespace-normal text-muted">{hint}</span>
            </Button>
          </li>
        ))}
      </ul>
      <p className="max-w-sm text-sm text-muted">
        {usesBuiltIn
          ? t("agent.theBuiltInModelAnswersIt")
          : t("agent.everyChangeWaitsForYourApproval")}
      </p>
    </div>
  );
}

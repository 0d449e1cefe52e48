import { Sparkles } from "lucide-react";

import { Button } from "@/components/Button";
import type { Subject } from "@/lib/agent/subject";
import { useChatModels } from "@/lib/api/models";

import { BUILT_IN } from "./OptionMenus";

interface Example {
  title: string;
  hint: string;
  /** Put into the input, to be finished, instead of being sent as it is. */
  begins?: string;
}

/** The built-in model understands every one of them. */
const EXAMPLES: Record<Subject["kind"], { about: string; examples: Example[] }> = {
  document: {
    about: "Ask about this document, or let the agent turn it into data.",
    examples: [
      { title: "Set this up", hint: "A schema, a prompt and the values, step by step" },
      { title: "What is this document about?", hint: "A short answer, nothing is changed" },
      { title: "Tag this as …", hint: "Write the tag, then send", begins: "Tag this as " },
    ],
  },
  project: {
    about: "Ask about these documents, or say what to write and what to change.",
    examples: [
      { title: "Create a document called Plan with: …", hint: "Write what goes into it, then send", begins: "Create a document called Plan with: " },
      { title: "Replace ‘May’ with ‘June’ in Plan", hint: "Write your own words and document, then send", begins: "Replace 'May' with 'June' in Plan" },
      { title: "Which documents are there?", hint: "A short answer, nothing is changed" },
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
      <ul aria-label="Things to try" className="flex w-full max-w-sm flex-col gap-2">
        {examples.map(({ title, hint, begins }) => (
          <li key={title}>
            <Button
              className="h-auto w-full flex-col !items-start gap-0 px-3 py-2 text-left"
              disabledBecause={begins === undefined && blocked}
              onClick={() => (begins === undefined ? onSend(title) : onWrite(begins))}
            >
              <span className="whitespace-normal">{title}</span>
              <span className="text-sm font-normal whitespace-normal text-muted">{hint}</span>
            </Button>
          </li>
        ))}
      </ul>
      <p className="max-w-sm text-sm text-muted">
        {usesBuiltIn
          ? "The built-in model answers. It needs no key and nothing leaves this server; connect a language model in Settings for free conversation."
          : "Every change waits for your approval, unless you allow it below."}
      </p>
    </div>
  );
}

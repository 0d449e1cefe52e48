import { Sparkles } from "lucide-react";

import { Button } from "@/components/Button";
import { useChatModels } from "@/lib/api/models";

import { BUILT_IN } from "./OptionMenus";

interface EmptyAgentProps {
  /** Sends it as it is. */
  onSend: (text: string) => void;
  /** Puts it into the input, to be finished. */
  onWrite: (text: string) => void;
  blocked: string | false;
}

/** Three things to try, for who is here for the first time. */
export function EmptyAgent({ onSend, onWrite, blocked }: EmptyAgentProps) {
  const data = useChatModels();
  const usesBuiltIn = !data || (data.defaultModel ?? data.models[0]) === BUILT_IN || data.models.length === 1;
  return (
    <div className="flex flex-col items-center gap-4 px-2 py-8 text-center">
      <Sparkles size={22} aria-hidden className="text-muted" />
      <p className="max-w-sm text-lg text-muted">Ask about this document, or let the agent turn it into data.</p>
      <ul aria-label="Things to try" className="flex w-full max-w-sm flex-col gap-2">
        <Try title="Set this up" hint="A schema, a prompt and the values, step by step" disabledBecause={blocked} onClick={() => onSend("Set this up")} />
        <Try
          title="What is this document about?"
          hint="A short answer, nothing is changed"
          disabledBecause={blocked}
          onClick={() => onSend("What is this document about?")}
        />
        <Try title="Tag this as …" hint="Write the tag, then send" disabledBecause={false} onClick={() => onWrite("Tag this as ")} />
      </ul>
      <p className="max-w-sm text-sm text-muted">
        {usesBuiltIn
          ? "The built-in model answers. It needs no key and nothing leaves this server; connect a language model in Settings for free conversation."
          : "Every change waits for your approval, unless you allow it below."}
      </p>
    </div>
  );
}

function Try({ title, hint, disabledBecause, onClick }: { title: string; hint: string; disabledBecause: string | false; onClick: () => void }) {
  return (
    <li>
      <Button className="h-auto w-full flex-col !items-start gap-0 px-3 py-2 text-left" disabledBecause={disabledBecause} onClick={onClick}>
        <span>{title}</span>
        <span className="text-sm font-normal whitespace-normal text-muted">{hint}</span>
      </Button>
    </li>
  );
}

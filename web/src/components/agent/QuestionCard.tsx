import { MessageCircleQuestion } from "lucide-react";
import { useState } from "react";

import { locale, rich, t } from "@/lib/i18n";

import { Button } from "../Button";
import { Field, Textarea } from "../Field";
import { ErrorNote } from "../Notes";
import { RelativeTime } from "../RelativeTime";

import { CardFrame } from "./CardFrame";

interface QuestionCardProps {
  question: string;
  choices: readonly string[];
  expiresAt: string | null;
  onAnswer: (text: string) => Promise<void>;
}

/** A question of the agent: choices as buttons if there are any, and always room for the user's own answer. */
export function QuestionCard({ question, choices, expiresAt, onAnswer }: QuestionCardProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const answer = async (given: string): Promise<void> => {
    if (busy !== null || !given.trim()) return;
    setBusy(given);
    setError(null);
    try {
      await onAnswer(given.trim());
    } catch (reason) {
      setError(reason);
    }
    setBusy(null);
  };
  return (
    <CardFrame label={t("cards.theAgentAsksQuestion", { question })}>
      <header className="flex items-start gap-2 border-b border-warm-line bg-warm-soft px-3 py-2">
        <MessageCircleQuestion size={16} aria-hidden className="mt-0.5 shrink-0 text-warm" />
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">{question}</p>
      </header>
      <form
        className="flex flex-col gap-3 p-3"
        onSubmit={(event) => {
          event.preventDefault();
          void answer(text);
        }}
      >
        {choices.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {choices.map((choice) => (
              <Button key={choice} small busy={busy === choice ? t("cards.answering") : false} className="max-w-full" onClick={() => void answer(choice)}>
                <span className="truncate">{choice}</span>
              </Button>
            ))}
          </div>
        )}
        <Field label={choices.length ? t("cards.orInYourOwnWords") : t("cards.yourAnswer")}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
                  event.preventDefault();
                  void answer(text);
                }
              }}
            />
          )}
        </Field>
        {error !== null && <ErrorNote what={t("cards.theAnswerWasNotSentIt")} error={error} />}
        <div className="flex items-center gap-3">
          <Button
            small
            variant="primary"
            type="submit"
            busy={busy !== null && busy === text.trim() ? t("cards.answering") : false}
            disabledBecause={!text.trim() && (choices.length ? t("cards.chooseAboveOrWriteAnAnswer") : t("cards.writeAnAnswerFirst"))}
          >
            {t("cards.answer")}
          </Button>
          {expiresAt && (
            <p className="text-xs text-muted">
              {rich("cards.theAgentStopsWaitingAtExpiryTime", { expiryTime: <ExpiryTime at={expiresAt} /> })}
            </p>
          )}
        </div>
      </form>
    </CardFrame>
  );
}

function ExpiryTime({ at }: { at: string }) {
  const then = new Date(at);
  const isToday = then.toDateString() === new Date().toDateString();
  if (!isToday) return <RelativeTime date={at} />;
  return <time dateTime={at}>{then.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" })}</time>;
}

import { standing } from "@/lib/documentState";
import type { Document, Facts } from "@/lib/documentState";

import { StateMark } from "./Badge";
import { Progress } from "./Progress";

interface DocumentStateMarkProps {
  document: Document;
  /** What is known of its results; without it only the reading is told. */
  facts?: Facts;
}

/** Where a document stands: a word, and pages or parts done so far. Why it failed stands elsewhere, with room. */
export function DocumentStateMark({ document, facts }: DocumentStateMarkProps) {
  const { mark, text, progress, note } = standing(document, facts);
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <StateMark state={mark}>{text}</StateMark>
      {note && <span className="text-xs text-muted">{note}</span>}
      {progress && <Progress hideLabel label={text} value={progress.value} max={progress.max} className="max-w-40" />}
    </div>
  );
}

import { standing } from "@/lib/documentState";
import type { Document } from "@/lib/documentState";

import { StateMark } from "./Badge";
import { Progress } from "./Progress";


/** Where a document stands: a word, pages read so far, or why it failed. */
export function DocumentStateMark({ document }: { document: Document }) {
  const { mark, text, progress, reason } = standing(document);
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <StateMark state={mark}>{text}</StateMark>
      {progress && <Progress hideLabel label={text} value={progress.value} max={progress.max} className="max-w-40" />}
      {reason && <span className="line-clamp-2 text-xs text-muted" title={reason}>{reason}</span>}
    </div>
  );
}

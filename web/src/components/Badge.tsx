import { CircleAlert, CircleCheck, CircleDashed, Eye, Hourglass, LoaderCircle } from "lucide-react";

import { cx } from "@/lib/cx";

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type Tone = "neutral" | "accent" | "warm" | "good" | "bad";

const TONES: Record<Tone, string> = {
  neutral: "bg-sunken text-muted",
  accent: "bg-accent-soft text-accent",
  warm: "bg-warm-soft text-warm",
  good: "bg-good-soft text-good",
  bad: "bg-bad-soft text-bad",
};

/** A short word beside a name. Warm only for what waits for the user. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={cx("inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-xs whitespace-nowrap", TONES[tone])}>
      {children}
    </span>
  );
}

export type State = "waiting" | "working" | "done" | "review" | "failed" | "waits-for-you";

const MARKS: Record<State, { icon: LucideIcon; look: string }> = {
  waiting: { icon: CircleDashed, look: "text-muted" },
  working: { icon: LoaderCircle, look: "text-accent [&>svg]:animate-spin" },
  done: { icon: CircleCheck, look: "text-muted" },
  review: { icon: Eye, look: "text-ink" },
  failed: { icon: CircleAlert, look: "text-bad" },
  "waits-for-you": { icon: Hourglass, look: "text-warm" },
};

/** Where something stands, as a picture and a word; never by colour alone. */
export function StateMark({ state, children, title }: { state: State; children: ReactNode; title?: string }) {
  const { icon: Icon, look } = MARKS[state];
  return (
    <span title={title} className={cx("inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap", look)}>
      <Icon size={14} aria-hidden className="shrink-0" />
      <span className="truncate">{children}</span>
    </span>
  );
}

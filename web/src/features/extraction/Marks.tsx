import { CircleAlert, CircleCheck, CircleDashed, Feather, PencilLine, ShieldCheck } from "lucide-react";

import { cx } from "@/lib/cx";

import { sureness, taught, told } from "./grounding";
import { whoFound } from "./voices";

import type { Leaf, Mark } from "./tree";
import type { LucideIcon } from "lucide-react";

const MARKS: Record<Mark, { icon: LucideIcon; word: string; look: string }> = {
  empty: { icon: CircleDashed, word: "Empty", look: "text-muted" },
  written: { icon: Feather, word: "Written by the model", look: "text-muted" },
  proven: { icon: CircleCheck, word: "Proven", look: "text-muted" },
  unproven: { icon: CircleAlert, word: "Unproven", look: "text-bad" },
  edited: { icon: PencilLine, word: "Edited", look: "text-accent" },
  verified: { icon: ShieldCheck, word: "Verified", look: "text-good" },
};

/** What is known of a value, as a picture and in words. */
export function FieldMark({ leaf, short }: { leaf: Leaf; short?: boolean }) {
  const { icon: Icon, word, look } = MARKS[leaf.mark];
  const sentence = explained(leaf);
  const needsNoWord = leaf.mark === "proven" || leaf.mark === "empty" || leaf.mark === "written";
  const isQuiet = short && needsNoWord;
  return (
    <span title={sentence} className={cx("inline-flex shrink-0 items-center gap-1 text-xs whitespace-nowrap", look)}>
      <Icon size={13} aria-hidden className={isQuiet ? "opacity-0 group-hover/cell:opacity-100" : undefined} />
      <span className={short || needsNoWord ? "sr-only" : undefined}>{word}</span>
    </span>
  );
}

export function explained(leaf: Leaf): string {
  const place = told(leaf.grounding, leaf.value);
  if (leaf.mark === "verified") return `Verified by a person. ${leaf.grounding ? place : ""}`.trim();
  if (leaf.mark === "edited") return `Edited by a person. ${leaf.grounding ? place : ""}`.trim();
  if (leaf.mark === "written") return "Written by the model in its own words.";
  return [place, whoFound(leaf.grounding), taught(leaf.grounding), sureness(leaf.grounding)].filter(Boolean).join(" ");
}

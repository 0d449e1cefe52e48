import { CircleAlert, CircleCheck, CircleDashed, Feather, PencilLine, ShieldCheck } from "lucide-react";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { sureness, taught, told } from "./grounding";
import { whoFound } from "./voices";

import type { Leaf, Mark } from "./tree";
import type { LucideIcon } from "lucide-react";

const MARKS: Record<Mark, { icon: LucideIcon; word: string; look: string }> = {
  empty: { icon: CircleDashed, get word() { return t("common.empty"); }, look: "text-muted" },
  written: { icon: Feather, get word() { return t("extraction.writtenByTheModel"); }, look: "text-muted" },
  proven: { icon: CircleCheck, get word() { return t("extraction.proven"); }, look: "text-muted" },
  unproven: { icon: CircleAlert, get word() { return t("extraction.unproven"); }, look: "text-bad" },
  edited: { icon: PencilLine, get word() { return t("extraction.edited"); }, look: "text-accent" },
  verified: { icon: ShieldCheck, get word() { return t("common.verified"); }, look: "text-good" },
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
  if (leaf.mark === "verified") return t("extraction.verifiedByAPersonValue", { value: leaf.grounding ? place : "" }).trim();
  if (leaf.mark === "edited") return t("extraction.editedByAPersonValue", { value: leaf.grounding ? place : "" }).trim();
  if (leaf.mark === "written") return t("extraction.writtenByTheModelInIts");
  return [place, whoFound(leaf.grounding), taught(leaf.grounding), sureness(leaf.grounding)].filter(Boolean).join(" ");
}

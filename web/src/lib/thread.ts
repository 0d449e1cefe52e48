import { t } from "@/lib/i18n";

/** Results of one kind of document: a prompt with a sheet, how many documents wait for a person, and how many values of these. */
export interface Kind {
  promptId: string;
  name: string;
  waiting: number;
  values: number;
}

/** How far an organisation's documents have come on the way from files to sheets. */
export interface Pile {
  files: number;
  /** Files that are being read. */
  unread: number;
  /** Documents for which the agent prepares a proposal now. */
  preparing: number;
  /** Kinds that are proposed and wait for a verdict. */
  proposed: number;
  kinds: readonly Kind[];
}

export interface Step {
  label: string;
  /** Below the organisation. */
  path: string;
}

const sumOf = (kinds: readonly Kind[], of: "waiting" | "values"): number => kinds.reduce((sum, kind) => sum + kind[of], 0);

/** The button that leads to what waits for a person: its values or, where only whole documents wait, these. */
export function checkWords({ values, waiting }: Pick<Kind, "values" | "waiting">): string {
  return values ? t("thread.checkCountValue", { count: values }) : t("thread.checkCountDocument", { count: waiting });
}

/** The way from files to sheets, with how far each part is. */
export function stepsOf(pile: Pile): Step[] {
  const { files, unread, proposed, kinds } = pile;
  const values = sumOf(kinds, "values");
  const waiting = values ? 0 : sumOf(kinds, "waiting");
  return [
    { label: t("thread.countFile", { files }), path: "documents" },
    { label: unread ? t("thread.readOfFiles", { read: files - unread, files }) : t("thread.countRead", { files }), path: "documents" },
    { label: t("thread.countKind", { count: kinds.length + proposed }), path: "proposals" },
    { label: waiting ? t("thread.documentsToCheck", { count: waiting }) : t("thread.valuesToCheck", { count: values }), path: reviewPath(kinds) },
    { label: t("thread.sheets", { count: Math.max(1, kinds.length) }), path: sheetPath(kinds) },
  ];
}

/** What a person does next; null while everything is still being read, and where nothing is prepared. */
export function nextStep(pile: Pile): Step | null {
  const { proposed, kinds } = pile;
  if (proposed) return { label: t("thread.lookAtCountKind", { count: proposed }), path: "proposals" };
  const waiting = sumOf(kinds, "waiting");
  if (waiting) return { label: checkWords({ waiting, values: sumOf(kinds, "values") }), path: reviewPath(kinds) };
  return kinds.length ? { label: t("thread.openTheSheets", { count: kinds.length }), path: sheetPath(kinds) } : null;
}

function reviewPath(kinds: readonly Kind[]): string {
  const first = kinds.find((kind) => kind.waiting > 0);
  return first ? `review/${first.promptId}` : "review";
}

function sheetPath(kinds: readonly Kind[]): string {
  return kinds.length === 1 ? `sheets/${kinds[0]?.promptId}` : "sheets";
}

/** About how long the rest takes, from what was done since it began; null as long as nothing was done. */
export function millisecondsLeft(begun: { at: number; left: number }, now: { at: number; left: number }): number | null {
  const done = begun.left - now.left;
  return done > 0 ? ((now.at - begun.at) / done) * now.left : null;
}

export function leftWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  return minutes < 1 ? t("thread.lessThanAMinuteLeft") : t("thread.aboutMinutesLeft", { minutes });
}

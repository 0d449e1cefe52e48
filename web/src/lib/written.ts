import { t } from "./i18n";

/** Numbers and dates as people write them, by the habits of one document. */

export interface Style {
  /** The sign before the decimals. */
  decimal: "." | ",";
  /** The sign between thousands. */
  group: string;
  /** Which number of a date comes first. */
  order: "dmy" | "mdy" | "ymd";
  /** Dates in digits with dots between them, as 15.01.2024. */
  dotted: boolean;
}

export const USUAL: Style = { decimal: ".", group: ",", order: "dmy", dotted: false };

export function writtenYesNo(value: boolean): string {
  return value ? t("lib.yes") : t("lib.no");
}

/** One meaning of digits with signs between them: `1.234` has two. */
interface Meaning {
  value: number;
  decimal: "." | "," | null;
  group: string | null;
  decimals: number;
}

const DIGITS = /\d(?:[\d.,'’\s]*\d)?/g;
const ISO = /^(\d{4})-(\d\d)-(\d\d)$/;

function meanings(digits: string): Meaning[] {
  const found: Meaning[] = [];
  for (const decimal of [".", ","] as const) {
    const [whole = "", fraction, ...more] = digits.split(decimal);
    if (more.length || (fraction !== undefined && !/^\d+$/.test(fraction))) continue;
    const groups = whole.split(/[.,'’\s]/);
    const signs = new Set(whole.match(/[.,'’\s]/g));
    const [first = "", ...rest] = groups;
    const isGrouped = first.length <= 3 && rest.at(-1)?.length === 3 && rest.every((part) => part.length === 3 || part.length === 2);
    if (signs.size > 1 || (rest.length && !isGrouped)) continue;
    const meaning = {
      value: Number(groups.join("") + (fraction === undefined ? "" : `.${fraction}`)),
      decimal: fraction === undefined ? null : decimal,
      group: [...signs][0] ?? null,
      decimals: fraction?.length ?? 0,
    };
    if (!found.some((other) => other.value === meaning.value && other.decimals === meaning.decimals)) found.push(meaning);
  }
  return found;
}

/** How a page writes this number; null if these words do not hold it. */
export function printedAs(value: number, words: string): Meaning | null {
  for (const [digits] of words.matchAll(DIGITS)) {
    const meaning = meanings(digits).find((one) => one.value === Math.abs(value));
    if (meaning) return meaning;
  }
  return null;
}

/** A value and the words on the page that prove it. */
export interface Evidence {
  value: unknown;
  printed: string;
}

/** The habits of a document, from the values that were found in it. */
export function styleOf(evidence: readonly Evidence[]): Style {
  const numbers = evidence.flatMap(({ value, printed }) => (typeof value === "number" ? (printedAs(value, printed) ?? []) : []));
  const decimal = most(numbers.map((number) => number.decimal ?? otherSign(number.group)).filter((sign) => sign !== null)) ?? USUAL.decimal;
  const group = most(numbers.map((number) => number.group).filter((sign) => sign !== null)) ?? (otherSign(decimal) ?? USUAL.group);
  const dates = evidence.flatMap(({ value, printed }) => (typeof value === "string" && ISO.test(value) ? (dateHabit(value, printed) ?? []) : []));
  const habit = most(dates.map(({ order, dotted }) => `${order} ${dotted}`))?.split(" ");
  const order = (habit?.[0] as Style["order"] | undefined) ?? (navigator.language === "en-US" ? "mdy" : USUAL.order);
  return { decimal, group, order, dotted: habit?.[1] === "true" };
}

/** Digits that are grouped by a point have a comma before the decimals, and the other way round. */
function otherSign(sign: string | null): "." | "," | null {
  return sign === "." ? "," : sign === "," ? "." : null;
}

function most<T>(all: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].reduce<[T, number] | undefined>((best, entry) => (best && best[1] >= entry[1] ? best : entry), undefined)?.[0];
}

function dateHabit(iso: string, printed: string): Pick<Style, "order" | "dotted"> | null {
  const [, , month = "", day = ""] = ISO.exec(iso) ?? [];
  if (/\d{4}\s?[-/.年]/.test(printed)) return { order: "ymd", dotted: false };
  if (/\d{1,2}\.\s?\d{1,2}\.\s?\d/.test(printed)) return { order: "dmy", dotted: true };
  const first = /\d{1,2}/.exec(printed);
  if (!first) return null;
  const isNamed = /\p{L}{3,}/u.exec(printed);
  if (isNamed) return { order: isNamed.index < first.index ? "mdy" : "dmy", dotted: false };
  if (Number(month) === Number(day)) return null;
  return { order: Number(first[0]) === Number(month) ? "mdy" : "dmy", dotted: false };
}

/** How a number is shown: with so many decimals at least, and its thousands set apart or not. */
export interface NumberForm {
  decimals: number;
  isGrouped: boolean;
}

export function writtenNumber(value: number, style: Style, form: NumberForm): string {
  const plain = String(Math.abs(value));
  if (/[^\d.]/.test(plain)) return String(value);
  const [whole = "", fraction = ""] = plain.split(".");
  const decimals = fraction.padEnd(form.decimals, "0");
  const grouped = form.isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, style.group) : whole;
  return `${value < 0 ? "-" : ""}${grouped}${decimals && style.decimal + decimals}`;
}

/** A date of the form YYYY-MM-DD in the document's order; the month is a word where digits could be misread. */
export function writtenDate(iso: string, style: Style): string {
  const [, year = "", month = "", day = ""] = ISO.exec(iso) ?? [];
  if (!year || style.order === "ymd") return iso;
  if (style.dotted) return `${day}.${month}.${year}`;
  const values = { day: Number(day), month: t("lib.shortMonths").split(" ")[Number(month) - 1] ?? month, year };
  return style.order === "mdy" ? t("lib.monthDayYear", values) : t("lib.dayMonthYear", values);
}

/** The number that was typed in any usual form; null if it is none. */
export function readNumber(typed: string, style: Style): number | null {
  const text = typed.trim();
  if (/^[-+]?\d+(\.\d+)?e[-+]?\d+$/i.test(text)) return Number(text);
  const bare = text
    .replace(/^(?:\p{L}{1,4}(?!\p{L})\.?\s*)?(?:\p{Sc}\s*)?/u, "")
    .replace(/(?<!\p{L})\s*(?:\p{L}{1,4}\.?|[\p{Sc}%])$/u, "")
    .trim();
  const parts = /^(?<open>\()?\s*(?<before>[-+−–]?)\s*\p{Sc}?\s*(?<digits>\d[\d.,'’\s_]*|[.,]\d+)(?<after>-?)\s*(?<close>\))?$/u.exec(bare)?.groups;
  if (!parts || Boolean(parts.open) !== Boolean(parts.close)) return null;
  const digits = (parts.digits ?? "").trim().replace(/_/g, "").replace(/^[.,]/, "0$&");
  const found = meanings(digits);
  const isUsual = ({ decimal, group }: Meaning): boolean => (decimal ? decimal === style.decimal : group !== style.decimal);
  const meant = found.find(isUsual) ?? found[0];
  if (!meant) return null;
  const isBelow = Boolean(parts.open || parts.after) || /[-−–]/.test(parts.before ?? "");
  return isBelow ? -meant.value : meant.value;
}

/** The date that was typed in any usual form, as YYYY-MM-DD; null if it is none. */
export function readDate(typed: string, style: Style): string | null {
  const text = typed.trim();
  const iso = /^(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})日?$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (iso) return realDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const digits = /^(\d{1,2})([./\-\s])\s?(\d{1,2})\2?\s?(\d{4}|\d\d)$/.exec(text);
  if (digits) {
    const [one, two] = [Number(digits[1]), Number(digits[3])];
    const isMonthFirst = two > 12 || (style.order === "mdy" && one <= 12 && digits[2] !== ".");
    return isMonthFirst ? realDate(fullYear(digits[4]), one, two) : realDate(fullYear(digits[4]), two, one);
  }
  const tokens = text.split(/[\s.,/-]+/).filter(Boolean);
  const month = tokens.map((token) => monthNamed(token)).find(Boolean);
  const numbers = tokens.flatMap((token) => /^(\d+)(?:st|nd|rd|th|er|º|°)?$/i.exec(token)?.[1] ?? []);
  const [first = "", second = ""] = numbers;
  if (!month || numbers.length !== 2) return null;
  return first.length === 4 ? realDate(Number(first), month, Number(second)) : realDate(fullYear(second), month, Number(first));
}

function fullYear(digits = ""): number {
  const year = Number(digits);
  return digits.length > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
}

function realDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1000 ? date.toISOString().slice(0, 10) : null;
}

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv", "da", "fi", "ro", "hu", "tr"];
const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}|\./gu, "").toLowerCase();
let months: Map<string, number> | null = null;

function monthNamed(word: string): number | undefined {
  months ??= new Map(
    LANGUAGES.flatMap((language) =>
      (["long", "short"] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(language, { month, day: "numeric", timeZone: "UTC" });
        return Array.from({ length: 12 }, (_, index): [string, number] => {
          const part = format.formatToParts(Date.UTC(2024, index, 1)).find(({ type }) => type === "month");
          return [folded(part?.value ?? ""), index + 1];
        });
      }),
    ).filter(([name]) => /^\p{L}{3,}$/u.test(name)),
  );
  const name = folded(word);
  return months.get(name) ?? (name === "sept" ? 9 : undefined);
}

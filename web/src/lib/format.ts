import { locale, t } from "./i18n";

const UNITS = ["bytes", "kB", "MB", "GB"];

export function fileSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 10 ? 0 : 1;
  return `${value.toLocaleString(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${UNITS[unit] ?? ""}`;
}

/** A share of 0 to 1 as a percentage, with one decimal where it is close to all; a dash where there is none. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined) return "–";
  const hundredths = share * 100;
  const rounded = hundredths > 95 && hundredths < 100 ? Math.floor(hundredths * 10) / 10 : Math.round(hundredths);
  return `${rounded.toLocaleString(locale())} %`;
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const QUOTES = /["\p{Pi}\p{Pf}\u201e\u201a\uff02\u301d-\u301f\u275d\u275e\u2033\u2036\u02ee\u05f4]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A text with a sign for each character that is invisible or turns the direction of writing. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => (character === "\n" || character === "\t" ? character : "\ufffd"));
}

/** A name in quotation marks that cannot pose as a part of the sentence around it, as the server writes names. */
export function quoted(name: string): string {
  const shown = visible(name.replace(/[\n\t]/g, "\ufffd").replace(QUOTES, "'"));
  return t("lib.quoted", { name: RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown });
}

/** `invoice_number` as a person would write it: "Invoice number". */
export function words(name: string): string {
  const text = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SHEET = /^sheet:([0-9a-f]{24}|default)\/(rows|sum)\/[^/]+$/;

/** What of a sheet a link stands for, when it is a paragraph of its own. */
export interface BoundTo {
  promptId: string;
  form: "rows" | "sum";
}

/** What an address stands for; null for all that name no sheet. */
export function boundTo(href: string): BoundTo | null {
  const [, promptId, form] = SHEET.exec(href) ?? [];
  return promptId && form ? { promptId, form: form as BoundTo["form"] } : null;
}

/** What is known of a table of a sheet: how it would be written now, and what is to say of that. */
export interface BoundNow {
  /** The table with the present values; null while it is as written. */
  now: string | null;
  note: string | null;
}

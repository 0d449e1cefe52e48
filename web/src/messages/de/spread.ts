import type { spread as english } from "../en/spread";

export const spread: Record<keyof typeof english, string> = {
  correctionForOthers: "Korrektur für ähnliche Dokumente",
  offer: "{alike, plural, one {# Dokument sieht} other {# Dokumente sehen}} aus wie dieses. {count, plural, one {# Wert von {name} würde} other {# Werte von {name} würden}} sich ändern.",
  changed: "{count, plural, one {# Wert} other {# Werte}} von {name} geändert.",
  restored: "{count, plural, one {# Dokument hat} other {# Dokumente haben}} wieder die früheren Werte.",
  show: "Zeigen",
  hide: "Verbergen",
  apply: "Anwenden",
  notNow: "Nicht jetzt",
  beforeAndAfter: "Vorher und nachher",
  before: "vorher:",
  after: "nachher:",
  empty: "leer",
  rows: "{count, plural, one {# Zeile} other {# Zeilen}}",
  earned: "{corrections, plural, one {# Korrektur hat} other {# Korrekturen haben}} {values, plural, one {# weiteren Wert} other {# weitere Werte}} berichtigt",
};

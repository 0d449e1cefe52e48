import type { merge as english } from "../en/merge";

export const merge: Record<keyof typeof english, string> = {
  offerOf: "{source} mit {into} zusammenführen",
  offer: "{intoCount, number} + {sourceCount, number} Dokumente: „{into}“ und „{source}“ haben {shared, plural, one {# Feld} other {# Felder}} gemeinsam. Zu einer Tabelle zusammenführen?",
  showTheColumns: "Spalten zeigen",
  hideTheColumns: "Spalten ausblenden",
  theColumns: "Die Spalten der gemeinsamen Tabelle",
  inTheMergedSheet: "Gemeinsame Tabelle",
  merge: "Zusammenführen",
  merging: "Wird zusammengeführt",
  acceptAsOneSheet: "Als eine Tabelle annehmen",
  keepApart: "Getrennt lassen",
  merged: "Zusammengeführt: „{name}“ hat {count, plural, one {# Dokument} other {# Dokumente}}.",
  couldNotMerge: "Die Tabellen konnten nicht zusammengeführt werden.",
  stays: "leer",
  whatHappens: "Alle Werte und Korrekturen von „{source}“ kommen nach „{into}“; der Prompt „{source}“ wird gelöscht. Auf der Tabelle lässt sich das rückgängig machen.",
  inBoth: "{count, plural, one {# Dokument ist} other {# Dokumente sind}} in beiden: Es gelten die Werte in „{into}“.",
  documentsOfAnotherSheet: "In diese Tabelle {count, plural, one {wurde # Dokument} other {wurden # Dokumente}} übernommen.",
  undo: "Zusammenführung rückgängig machen",
  undone: "Beide Tabellen sind wiederhergestellt, {count, plural, one {# Dokument ist} other {# Dokumente sind}} zurück.{kept, plural, =0 {} one { # Dokument wurde seitdem geändert und bleibt hier.} other { # Dokumente wurden seitdem geändert und bleiben hier.}}",
};

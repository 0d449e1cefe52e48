import type { thread as english } from "../en/thread";

export const thread: Record<keyof typeof english, string> = {
  fromFilesToSheets: "Von Dateien zu Tabellen",
  countFile: "{files, plural, one {# Datei} other {# Dateien}}",
  countRead: "{files, number} gelesen",
  readOfFiles: "{read, number} von {files, number} gelesen",
  countKind: "{count, plural, one {# Art} other {# Arten}}",
  sheets: "{count, plural, one {Tabelle} other {Tabellen}}",
  lookAtCountKind: "{count, plural, one {# Art} other {# Arten}} ansehen",
  checkCountDocument: "{count, plural, one {# Dokument} other {# Dokumente}} prüfen",
  checkCountValue: "{count, plural, one {# Wert} other {# Werte}} prüfen",
  valuesToCheck: "{count, plural, one {# Wert} other {# Werte}} zu prüfen",
  documentsToCheck: "{count, plural, one {# Dokument} other {# Dokumente}} zu prüfen",
  openTheSheets: "{count, plural, one {Tabelle} other {Tabellen}} öffnen",
  findTheValues: "Werte finden",
  findingTheValuesOfCount: "Werte von {count, plural, one {# Dokument} other {# Dokumenten}} werden gesucht",
  lessThanAMinuteLeft: "noch weniger als 1 min",
  aboutMinutesLeft: "noch etwa {minutes} min",
  done: "Fertig: {name}, {count, plural, one {# Dokument} other {# Dokumente}}{sum}",
};

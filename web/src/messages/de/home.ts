import type { home as english } from "../en/home";

export const home: Record<keyof typeof english, string> = {
  homeCannotBeShown: "Die Startseite kann nicht angezeigt werden.",
  yourKinds: "Ihre Dokumente nach Art",
  kinds: "Nach Art",
  countDocuments: "{count, plural, one {# Dokument} other {# Dokumente}}",
  shareSure: "{share} sicher",
  countToCheck: "{count, plural, one {# Dokument} other {# Dokumente}} zu prüfen",
  whatByMonth: "{what} je Monat",
  whatOfNameByMonth: "{name}: {what} je Monat",
  month: "Monat",
  day: "Tag",
  pages: "Seiten",
  accuracyOverVersions: "Genauigkeit über die Versionen",
  accuracyOfName: "Genauigkeit von {name}",
  accuracyOfNameNow: "Genauigkeit von {name}: jetzt {now}, {count, plural, one {# Version} other {# Versionen}} gemessen",
  pagesByDay: "Seiten je Tag",
  creditsByDay: "Credits je Tag",
  titleTotalMostOn: "{title}: {total, number} in {count, plural, one {# Tag} other {# Tagen}}, am meisten am {day} mit {most, number}.",
  titleNone: "{title}: nichts in {count, plural, one {# Tag} other {# Tagen}}.",
  showAsAChart: "Als Diagramm zeigen",
  showAsATable: "Als Tabelle zeigen",
};

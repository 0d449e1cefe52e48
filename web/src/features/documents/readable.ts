import { t } from "@/lib/i18n";

import { READABLE } from "./formats";

/** Why the server would refuse a file by its name, or null: it is told before the file is sent. */
export function whyUnreadable(name: string): string | null {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && dot < name.length - 1 ? name.slice(dot).toLowerCase() : "";
  if (READABLE.split(",").includes(extension)) return null;
  const kind = extension ? t("documents.filesThatEndInExtension", { extension }) : t("documents.filesWithoutAnEnding");
  return t("documents.kindCannotBeReadWhatCan", { kind, readable: t("documents.readableFormats") });
}

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const accuracy = definePage({
  path: "prompts/$promptId/accuracy",
  get title() { return t("common.accuracy"); },
  within: "sheets",
  load: () => import("./AccuracyPage"),
});

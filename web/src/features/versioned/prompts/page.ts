import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "prompts",
  get title() { return t("pages.prompts"); },
  nav: {},
  within: "settings",
  commands: [{ get label() { return t("pages.createAPrompt"); }, path: "prompts/new", get words() { return t("pages.newInstructionExtraction"); } }],
  load: () => import("./PromptsPage"),
});

export const newPrompt = definePage({
  path: "prompts/new",
  get title() { return t("common.newPrompt"); },
  within: "settings",
  layout: "workspace",
  load: () => import("./PromptPage"),
});

export const onePrompt = definePage({
  path: "prompts/$promptId",
  get title() { return t("common.prompt"); },
  within: "settings",
  layout: "workspace",
  load: () => import("./PromptPage"),
});

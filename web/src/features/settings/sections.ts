import { t } from "@/lib/i18n";

export interface Section {
  id: string;
  label: string;
  /** Words that find it in the palette. */
  words: string;
  /** Whose settings they are. */
  of: "organisation" | "you";
  /** A page of its own, which the navigation of the settings leads to. */
  path?: string;
  adminsOnly?: boolean;
}

/** Pages about what the agent looks for in documents. */
export const WHAT_TO_FIND = [
  { path: "schemas", get label() { return t("pages.schemas"); } },
  { path: "prompts", get label() { return t("pages.prompts"); } },
  { path: "tags", get label() { return t("common.tags"); } },
  { path: "forms", get label() { return t("common.forms"); } },
];

export const pathOf = (section: Section): string => section.path ?? `settings/${section.id}`;

export const SECTIONS: readonly Section[] = [
  { id: "organisation", get label() { return t("pages.organisation"); }, get words() { return t("pages.nameTypeDefaultPromptProposalsAuto"); }, of: "organisation" },
  { id: "members", get label() { return t("common.members"); }, get words() { return t("pages.usersInviteRolesAdmin"); }, of: "organisation" },
  { id: "providers", get label() { return t("pages.providersAndKeys"); }, get words() { return t("pages.openaiAnthropicGeminiOllamaServerTest"); }, of: "organisation" },
  { id: "models", get label() { return t("common.models"); }, get words() { return t("pages.defaultModelPrices"); }, of: "organisation" },
  { id: "agent", get label() { return t("common.agent"); }, get words() { return t("pages.policyRulesApproveAskDenyAllow"); }, of: "organisation" },
  { id: "servers", get label() { return t("common.mcpServers"); }, get words() { return t("pages.toolsOfOthersOutsideConnect"); }, of: "organisation" },
  { id: "webhooks", get label() { return t("pages.webhooks"); }, get words() { return t("pages.eventsDeliveriesCallbacks"); }, of: "organisation" },
  { id: "usage", get label() { return t("pages.usageAndCredits"); }, get words() { return t("pages.costBalanceChartTokens"); }, of: "organisation" },
  { id: "activity", path: "activity", get label() { return t("common.activity"); }, words: "", of: "organisation", adminsOnly: true },
  { id: "tokens", get label() { return t("pages.apiTokens"); }, get words() { return t("pages.accessTokenKeyRevoke"); }, of: "you" },
  { id: "account", get label() { return t("pages.account"); }, get words() { return t("pages.namePasswordSignOut"); }, of: "you" },
  { id: "appearance", get label() { return t("common.appearance"); }, get words() { return t("pages.themeDarkLightDensityCompactHide"); }, of: "you" },
];

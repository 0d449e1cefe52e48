import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "schemas",
  get title() { return t("pages.schemas"); },
  nav: {},
  within: "settings",
  commands: [{ get label() { return t("pages.createASchema"); }, path: "schemas/new", get words() { return t("pages.newFieldsExtraction"); } }],
  load: () => import("./SchemasPage"),
});

export const newSchema = definePage({
  path: "schemas/new",
  get title() { return t("common.newSchema"); },
  within: "settings",
  layout: "workspace",
  load: () => import("./SchemaPage"),
});

export const oneSchema = definePage({
  path: "schemas/$schemaId",
  get title() { return t("common.schema"); },
  within: "settings",
  layout: "workspace",
  load: () => import("./SchemaPage"),
});

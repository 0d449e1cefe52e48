import { Braces } from "lucide-react";

import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "schemas",
  title: "Schemas",
  nav: { icon: Braces, order: 30 },
  commands: [{ label: "Create a schema", path: "schemas/new", words: "new fields extraction" }],
  load: () => import("./SchemasPage"),
});

export const newSchema = definePage({
  path: "schemas/new",
  title: "New schema",
  layout: "workspace",
  load: () => import("./SchemaPage"),
});

export const oneSchema = definePage({
  path: "schemas/$schemaId",
  title: "Schema",
  layout: "workspace",
  load: () => import("./SchemaPage"),
});

import { useParams } from "@tanstack/react-router";

import { SCHEMAS } from "@/lib/api/schemas";

import { OnePage } from "../OnePage";

import { SchemaEditor } from "./SchemaEditor";

export default function SchemaPage() {
  const { schemaId }: { schemaId?: string } = useParams({ strict: false });
  return <OnePage kind={SCHEMAS} id={schemaId ?? null} Editor={SchemaEditor} />;
}

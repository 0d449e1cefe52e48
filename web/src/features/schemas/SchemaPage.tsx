import { Link, useParams } from "@tanstack/react-router";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { ApiError } from "@/lib/api/errors";
import { useSchemaVersions } from "@/lib/api/schemas";
import { useOrgPath } from "@/lib/organization";

import { SchemaEditor } from "./SchemaEditor";

/** One schema, or a new one. */
export default function SchemaPage() {
  const params: { schemaId?: string } = useParams({ strict: false });
  const schemaId = params.schemaId ?? null;
  const versions = useSchemaVersions(schemaId);
  const orgPath = useOrgPath();
  if (schemaId === null) return <SchemaEditor key="new" schemaId={null} versions={[]} />;
  if (versions.error instanceof ApiError && versions.error.status === 404) {
    return (
      <EmptyState title="There is no such schema. It may have been deleted.">
        <Link to={orgPath("schemas")} className="text-accent underline">
          Show all schemas
        </Link>
      </EmptyState>
    );
  }
  if (versions.error) {
    return <ErrorNote className="m-4" what="The schema cannot be shown." error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  if (!versions.data) return <Loading what="the schema" />;
  return <SchemaEditor key={schemaId} schemaId={schemaId} versions={versions.data} />;
}

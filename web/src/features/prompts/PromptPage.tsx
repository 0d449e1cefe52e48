import { Link, useParams } from "@tanstack/react-router";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { ApiError } from "@/lib/api/errors";
import { useOrgPath } from "@/lib/organization";

import { PromptEditor } from "./PromptEditor";
import { usePromptVersions } from "./usePrompts";

/** One prompt, or a new one. */
export default function PromptPage() {
  const params: { promptId?: string } = useParams({ strict: false });
  const promptId = params.promptId ?? null;
  const versions = usePromptVersions(promptId);
  const orgPath = useOrgPath();
  if (promptId === null) return <PromptEditor key="new" promptId={null} versions={[]} />;
  if (versions.error instanceof ApiError && versions.error.status === 404) {
    return (
      <EmptyState title="There is no such prompt. It may have been deleted.">
        <Link to={orgPath("prompts")} className="text-accent underline">
          Show all prompts
        </Link>
      </EmptyState>
    );
  }
  if (versions.error) {
    return <ErrorNote className="m-4" what="The prompt cannot be shown." error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  if (!versions.data) return <Loading what="the prompt" />;
  return <PromptEditor key={promptId} promptId={promptId} versions={versions.data} />;
}

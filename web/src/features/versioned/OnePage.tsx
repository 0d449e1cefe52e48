import { Link } from "@tanstack/react-router";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { ApiError } from "@/lib/api/errors";
import { useVersions } from "@/lib/api/versioned";
import type { Kind, Versioned } from "@/lib/api/versioned";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import type { ComponentType } from "react";

export interface EditorProps<T> {
  /** Null for a new one. */
  id: string | null;
  /** Newest first; none of a new one. */
  versions: T[];
}

interface OnePageProps<T extends Versioned, Body> {
  kind: Kind<T, Body>;
  id: string | null;
  Editor: ComponentType<EditorProps<T>>;
}

/** One thing with all its versions, or a new one. */
export function OnePage<T extends Versioned, Body>({ kind, id, Editor }: OnePageProps<T, Body>) {
  const { noun } = kind;
  const versions = useVersions(kind, id);
  const orgPath = useOrgPath();
  if (id === null) return <Editor key="new" id={null} versions={[]} />;
  if (versions.error instanceof ApiError && versions.error.status === 404) {
    return (
      <EmptyState title={t("versioned.thereIsNoSuchNounIt", { noun })}>
        <Link to={orgPath(`${noun}s`)} className="text-accent underline">
          {t("versioned.showAllNounS", { noun })}
        </Link>
      </EmptyState>
    );
  }
  if (versions.error) {
    return <ErrorNote className="m-4" what={t("versioned.theNounCannotBeShown", { noun })} error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  if (!versions.data) return <Loading what={t("versioned.theNoun", { noun })} />;
  return <Editor key={id} id={id} versions={versions.data} />;
}

import { useState } from "react";

import { Badge } from "@/components/Badge";
import { VersionChoice } from "@/components/VersionChoice";
import { useNameOf } from "@/lib/api/members";
import type { Kind, Versioned } from "@/lib/api/versioned";

import type { EditorTab } from "./Editor";
import type { ReactNode } from "react";

interface VersionsProps<T extends Versioned, Body> {
  kind: Kind<T, Body>;
  /** Newest first. */
  versions: T[];
  /** What is different between two of them. */
  difference: (before: T, after: T, label: string) => ReactNode;
}

export function versionsTab<T extends Versioned, Body>(props: VersionsProps<T, Body>): EditorTab {
  return {
    value: "versions",
    label: "Versions",
    note: <Badge>{props.versions.length}</Badge>,
    command: `Compare versions of the ${props.kind.noun}`,
    content: <Versions {...props} />,
  };
}

/** All versions; any two of them as a difference. */
function Versions<T extends Versioned, Body>({ kind, versions, difference }: VersionsProps<T, Body>) {
  const nameOf = useNameOf();
  const [chosen, setChosen] = useState<{ from: string; to: string } | null>(null);
  const withRevid = (revid?: string): T | undefined => versions.find((item) => kind.revisionOf(item).revid === revid);
  const to = withRevid(chosen?.to) ?? versions[0];
  const from = withRevid(chosen?.from) ?? versions[1] ?? versions[0];
  if (!to || !from) return null;
  const [before, after] = [kind.revisionOf(from), kind.revisionOf(to)];
  return (
    <div className="flex flex-col gap-3 p-3 sm:p-4">
      <VersionChoice
        label={`Versions of the ${kind.noun}`}
        versions={versions.map((item) => {
          const { revid, version } = kind.revisionOf(item);
          return { id: revid, version, createdAt: item.created_at, by: nameOf(item.created_by) };
        })}
        from={before.revid}
        to={after.revid}
        onChange={(fromRevid, toRevid) => setChosen({ from: fromRevid, to: toRevid })}
      />
      <h2 className="text-base">
        {from === to ? `Version ${after.version}` : `From version ${before.version} to version ${after.version}`}
      </h2>
      {versions.length === 1 ? (
        <p className="text-muted">This is the only version. The next one you save can be compared with it.</p>
      ) : (
        difference(from, to, `Version ${before.version} and version ${after.version}`)
      )}
    </div>
  );
}

import { useState } from "react";

import { Badge } from "@/components/Badge";
import { VersionChoice } from "@/components/VersionChoice";
import { useNameOf } from "@/lib/api/members";
import type { Kind, Versioned } from "@/lib/api/versioned";
import { t } from "@/lib/i18n";

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
    label: t("common.versions"),
    note: <Badge>{props.versions.length}</Badge>,
    command: t("versioned.compareVersionsOfTheNoun", { noun: props.kind.noun }),
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
        label={t("versioned.versionsOfTheNoun", { noun: kind.noun })}
        versions={versions.map((item) => {
          const { revid, version } = kind.revisionOf(item);
          return { id: revid, version, createdAt: item.created_at, by: nameOf(item.created_by) };
        })}
        from={before.revid}
        to={after.revid}
        onChange={(fromRevid, toRevid) => setChosen({ from: fromRevid, to: toRevid })}
      />
      <h2 className="text-base">
        {from === to ? t("common.versionVersion", { version: after.version }) : t("versioned.fromVersionVersionToVersionVersion2", { version: before.version, version2: after.version })}
      </h2>
      {versions.length === 1 ? (
        <p className="text-muted">{t("versioned.thisIsTheOnlyVersionThe")}</p>
      ) : (
        difference(from, to, t("versioned.versionVersionAndVersionVersion2", { version: before.version, version2: after.version }))
      )}
    </div>
  );
}

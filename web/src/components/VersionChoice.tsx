import { t } from "@/lib/i18n";

import { Badge } from "./Badge";
import { RelativeTime } from "./RelativeTime";

export interface VersionItem {
  id: string;
  version: number;
  createdAt: string;
  by: string;
}

interface VersionChoiceProps {
  label: string;
  /** Newest first. */
  versions: VersionItem[];
  from: string;
  to: string;
  onChange: (from: string, to: string) => void;
}

/** The versions of something; any two are chosen to be compared. */
export function VersionChoice({ label, versions, from, to, onChange }: VersionChoiceProps) {
  return (
    <div role="group" aria-label={label} className="overflow-hidden rounded-lg border bg-surface">
      <div aria-hidden className="flex items-center gap-2 border-b px-2 py-1 text-xs text-muted">
        <span className="w-12 text-center">{t("common.before")}</span>
        <span className="w-12 text-center">{t("common.after")}</span>
        <span>{t("common.version")}</span>
      </div>
      <ul className="max-h-72 divide-y overflow-y-auto">
        {versions.map((item, index) => (
          <li key={item.id} className="flex min-h-9 items-center gap-2 px-2">
            <Choice label={t("components.beforeVersionVersion", { version: item.version })} checked={from === item.id} onChoose={() => onChange(item.id, to)} />
            <Choice label={t("components.afterVersionVersion", { version: item.version })} checked={to === item.id} onChoose={() => onChange(from, item.id)} />
            <span className="font-medium whitespace-nowrap">{t("common.versionVersion", { version: item.version })}</span>
            {index === 0 && <Badge>{t("common.newest")}</Badge>}
            <span className="ml-auto min-w-0 truncate text-sm text-muted">
              {item.by && `${item.by}, `}
              <RelativeTime date={item.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Choice({ label, checked, onChoose }: { label: string; checked: boolean; onChoose: () => void }) {
  return (
    <span className="flex w-12 justify-center">
      <input
        type="radio"
        aria-label={label}
        checked={checked}
        onChange={onChoose}
        className="m-1 size-4 cursor-pointer accent-(--accent)"
      />
    </span>
  );
}

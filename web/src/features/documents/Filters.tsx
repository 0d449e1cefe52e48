import { Search, Tags, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { Button } from "@/components/Button";
import { Input, Select } from "@/components/Field";
import { Popover } from "@/components/Popover";
import { TagChip } from "@/components/TagChip";
import { TagPicker } from "@/components/TagPicker";
import { useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";
import { useShortcut } from "@/lib/shortcuts";

import { isNarrowed, STATE_GROUPS } from "./search";

import type { ListSearch } from "./search";

const TYPING_MS = 250;

interface FiltersProps {
  search: ListSearch;
  onChange: (change: Partial<ListSearch>) => void;
}

/** Search by words, tags and state. */
export function Filters({ search, onChange }: FiltersProps) {
  const { data: tags = [] } = useTags();
  const chosen = tags.filter((tag) => search.tags.includes(tag.id));
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <NameSearch find={search.find} onFind={(find) => onChange({ find })} />
      <Select
        aria-label={t("documents.state")}
        className="!w-auto"
        value={search.state ?? ""}
        onChange={(event) => onChange({ state: event.target.value || null })}
      >
        <option value="">{t("documents.anyState")}</option>
        {Object.entries(STATE_GROUPS).map(([value, group]) => (
          <option key={value} value={value}>
            {group.label}
          </option>
        ))}
      </Select>
      <Popover label={t("documents.showDocumentsWithTags")} trigger={<Button icon={Tags}>{t("common.tags")}</Button>}>
        <TagPicker tags={tags} selected={search.tags} onChange={(ids) => onChange({ tags: ids })} />
      </Popover>
      {chosen.map((tag) => (
        <TagChip
          key={tag.id}
          name={tag.name}
          color={tag.color}
          onRemove={() => onChange({ tags: search.tags.filter((id) => id !== tag.id) })}
        />
      ))}
      {isNarrowed(search) && (
        <Button variant="quiet" icon={X} onClick={() => onChange({ find: "", tags: [], state: null })}>
          {t("common.showAll")}
        </Button>
      )}
    </div>
  );
}

function NameSearch({ find, onFind }: { find: string; onFind: (find: string) => void }) {
  const [typed, setTyped] = useState(find);
  const [asked, setAsked] = useState(find);
  if (find !== asked) {
    setAsked(find);
    if (find === "") setTyped("");
  }
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(onFind);
  useEffect(() => {
    latest.current = onFind;
  });
  useEffect(() => {
    if (typed === find) return;
    const timer = setTimeout(() => latest.current(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, find]);
  useShortcut({ keys: "/", does: t("documents.searchDocuments"), group: t("common.documents") }, () => input.current?.focus());
  return (
    <div className="relative w-full sm:w-64">
      <Search size={15} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-muted" />
      <Input
        ref={input}
        type="search"
        aria-label={t("documents.searchDocuments")}
        placeholder={t("documents.searchDocuments")}
        className="pl-8"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}

import { Plus } from "lucide-react";
import { useState } from "react";

import { messageOf } from "@/lib/api/errors";
import { t } from "@/lib/i18n";

import { Button } from "./Button";
import { Checkbox, Input } from "./Field";
import { TagDot } from "./TagChip";

interface PickableTag {
  id: string;
  name: string;
  color: string;
}

interface TagPickerProps {
  tags: PickableTag[];
  selected: string[];
  onChange: (selected: string[]) => void;
  /** Makes a tag of this name and returns its id; without it no tag can be made here. */
  onCreate?: (name: string) => Promise<string>;
}

/** Choose tags from a list that narrows while the user types; a new name can be made a tag on the spot. */
export function TagPicker({ tags, selected, onChange, onCreate }: TagPickerProps) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const wanted = typed.trim();
  const shown = tags.filter((tag) => tag.name.toLowerCase().includes(wanted.toLowerCase()));
  const isNew = wanted !== "" && !tags.some((tag) => tag.name.toLowerCase() === wanted.toLowerCase());
  const toggle = (id: string): void =>
    onChange(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);
  const create = async (): Promise<void> => {
    setError(null);
    try {
      const id = await onCreate?.(wanted);
      if (id) onChange([...selected, id]);
      setTyped("");
    } catch (reason) {
      setError(messageOf(reason));
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Input
        aria-label={t("components.findOrNameATag")}
        placeholder={onCreate ? t("components.findOrNameATag") : t("components.findATag")}
        value={typed}
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          const only = shown.length === 1 ? shown[0] : undefined;
          if (only) toggle(only.id);
          else if (isNew && onCreate) void create();
        }}
      />
      {error && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
      <ul className="max-h-56 overflow-y-auto">
        {shown.map((tag) => (
          <li key={tag.id} className="flex items-center gap-1 rounded-sm pr-2 hover:bg-hover">
            <Checkbox
              className="flex-1 py-0.5"
              label={tag.name}
              checked={selected.includes(tag.id)}
              onChange={() => toggle(tag.id)}
            />
            <TagDot color={tag.color} />
          </li>
        ))}
      </ul>
      {isNew && onCreate && (
        <Button small icon={Plus} className="justify-start overflow-hidden" onClick={() => void create()}>
          <span className="truncate">{t("components.createTagWanted", { wanted })}</span>
        </Button>
      )}
      {!shown.length && !isNew && <p className="text-sm text-muted">{t("components.thereAreNoTagsYetType")}</p>}
    </div>
  );
}

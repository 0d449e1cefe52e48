import { Tags } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { Kbd } from "@/components/Kbd";
import { Popover } from "@/components/Popover";
import { TagDot } from "@/components/TagChip";
import { useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";
import { useShortcut } from "@/lib/shortcuts";

interface AcceptAndTagProps {
  /** A name to begin with: that of the schema. */
  suggested: string;
  disabledBecause?: string | false | null;
  /** Whether T opens it. */
  hasKey?: boolean;
  onAccept: (tagName: string) => void;
}

/** Accept, and choose the tag by which documents are processed from then on. */
export function AcceptAndTag({ suggested, disabledBecause, hasKey = false, onAccept }: AcceptAndTagProps) {
  const [isOpen, setIsOpen] = useState(false);
  useShortcut({ keys: "t", does: t("proposals.acceptTheGroupAndTagIt"), group: t("common.proposals") }, () => setIsOpen(!disabledBecause), hasKey);
  return (
    <Popover
      label={t("proposals.acceptAndTag")}
      open={isOpen}
      onOpenChange={(open) => setIsOpen(open && !disabledBecause)}
      className="w-80"
      trigger={
        <Button small icon={Tags} disabledBecause={disabledBecause}>
          {t("proposals.acceptAndTag")}{" "}{hasKey && <Kbd keys="t" />}
        </Button>
      }
    >
      <TagForm
        suggested={suggested}
        onTag={(name) => {
          setIsOpen(false);
          onAccept(name);
        }}
      />
    </Popover>
  );
}

function TagForm({ suggested, onTag }: { suggested: string; onTag: (name: string) => void }) {
  const { data: tags = [] } = useTags();
  const [typed, setTyped] = useState(suggested);
  const name = typed.trim();
  const same = (tag: { name: string }): boolean => tag.name.toLowerCase() === name.toLowerCase();
  const isKnown = tags.some(same);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name) onTag(name);
      }}
    >
      <Field
        label={t("common.tag")}
        hint={name && !isKnown ? t("proposals.aNewTagDocumentsWithIt") : t("proposals.documentsWithItAreProcessedBy")}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            required
            maxLength={255}
            value={typed}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      {tags.length > 0 && (
        <ul aria-label={t("proposals.tagsThatExist")} className="flex max-h-40 flex-wrap gap-1 overflow-y-auto">
          {tags.map((tag) => (
            <li key={tag.id} className="max-w-full">
              <button
                type="button"
                aria-pressed={same(tag)}
                onClick={() => setTyped(tag.name)}
                className="flex h-6 max-w-full items-center gap-1.5 rounded-sm bg-sunken px-1.5 text-sm hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:ring-1 aria-pressed:ring-accent"
              >
                <TagDot color={tag.color} />
                <span className="truncate">{tag.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Button type="submit" variant="primary" disabledBecause={!name && t("proposals.nameATagFirst")} className="max-w-full overflow-hidden">
        <span className="truncate">{t("proposals.acceptWithTag")}{" "}{name && `“${name}”`}</span>
      </Button>
    </form>
  );
}

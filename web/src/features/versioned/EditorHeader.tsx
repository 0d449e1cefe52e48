import { MoreHorizontal, Save, Trash2, Undo2 } from "lucide-react";

import { Badge } from "@/components/Badge";
import { Button, IconButton } from "@/components/Button";
import { Input } from "@/components/Field";
import { Menu, MenuItem } from "@/components/Menu";
import { t } from "@/lib/i18n";

import type { ReactNode } from "react";

interface EditorHeaderProps {
  /** What is edited, as in a sentence: "schema". */
  noun: string;
  /** The way back to the list. */
  back: ReactNode;
  /** As it is stored; null for one that does not exist yet. */
  stored: { name: string; version: number } | null;
  name: string;
  placeholder: string;
  onName: (name: string) => void;
  /** Why it cannot be saved now. */
  reason: string | null;
  isDirty: boolean;
  onSave: () => void;
  onDiscard: () => void;
  onDelete: () => void;
}

/** The bar above something that is kept in versions: its name, and what can be done with it. */
export function EditorHeader({ noun, back, stored, name, placeholder, onName, reason, isDirty, onSave, onDiscard, onDelete }: EditorHeaderProps) {
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-surface px-3 py-2 sm:px-4">
      <h1 className="flex min-w-0 flex-1 items-center gap-2 text-base font-normal">
        <span className="text-muted max-sm:hidden">{back}</span>
        <span aria-hidden className="text-muted max-sm:hidden">
          /
        </span>
        <span className="sr-only">{stored?.name ?? t("versioned.newNoun", { noun })}</span>
        <Input
          aria-label={t("versioned.nameOfTheNoun", { noun })}
          placeholder={placeholder}
          autoFocus={stored === null && !name}
          value={name}
          maxLength={255}
          onChange={(event) => onName(event.target.value)}
          className="max-w-72 font-medium"
        />
        {stored && <Badge>{t("versioned.versionVersion", { version: stored.version })}</Badge>}
      </h1>
      {isDirty && stored && (
        <Button variant="quiet" icon={Undo2} onClick={onDiscard} className="max-sm:hidden">
          {t("versioned.discardChanges")}
        </Button>
      )}
      <Button variant="primary" icon={Save} disabledBecause={reason} onClick={onSave}>
        {stored ? t("versioned.saveVersion") : t("versioned.createNoun", { noun })}
      </Button>
      {stored && (
        <Menu align="end" trigger={<IconButton icon={MoreHorizontal} label={t("versioned.moreActions")} />}>
          <MenuItem icon={Undo2} disabledBecause={!isDirty && t("common.nothingHasChanged")} onSelect={onDiscard}>
            {t("versioned.discardChanges")}
          </MenuItem>
          <MenuItem icon={Trash2} danger onSelect={onDelete}>
            {t("versioned.deleteNoun", { noun })}
          </MenuItem>
        </Menu>
      )}
    </header>
  );
}

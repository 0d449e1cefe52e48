import { X } from "lucide-react";

import { t } from "@/lib/i18n";

interface TagChipProps {
  name: string;
  color: string;
  onRemove?: () => void;
}

/** A tag: its name in our ink, its colour as a dot, so that every colour stays readable. */
export function TagChip({ name, color, onRemove }: TagChipProps) {
  return (
    <span className="inline-flex h-6 max-w-48 items-center gap-1.5 rounded-sm bg-sunken px-1.5 text-sm">
      <TagDot color={color} />
      <span className="truncate">{name}</span>
      {onRemove && (
        <button type="button" aria-label={t("common.removeName", { name })} onClick={onRemove} className="-mr-1 rounded-sm p-1 hover:bg-hover">
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}

export function TagDot({ color }: { color: string }) {
  return <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ backgroundColor: color }} />;
}

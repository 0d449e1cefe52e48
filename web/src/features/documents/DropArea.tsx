import { Upload } from "lucide-react";
import { useEffect, useState } from "react";

import { t } from "@/lib/i18n";

interface DropAreaProps {
  onFiles: (files: File[]) => void;
  /** What else will happen to them, such as the tags that they get. */
  notes: string[];
}

/** While files are dragged over the window: one area, as wide as the page, that takes them wherever they are let go. */
export function DropArea({ onFiles, notes }: DropAreaProps) {
  const [count, setCount] = useState<number | null>(null);

  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setCount(event.dataTransfer?.items.length ?? 0);
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth -= 1;
      if (depth <= 0) setCount(null);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setCount(null);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, [onFiles]);

  if (count === null) return null;
  return (
    <div className="pointer-events-none fixed inset-x-4 top-14 z-40 flex flex-col items-center gap-1 rounded-lg border-2 border-dashed border-accent bg-accent-soft p-8 text-accent shadow-float">
      <Upload size={20} aria-hidden />
      <p className="text-lg font-medium">{count ? t("documents.letGoToUploadCountFile", { count }) : t("documents.letGoToUpload")}</p>
      {notes.map((note) => (
        <p key={note} className="text-sm">
          {note}
        </p>
      ))}
    </div>
  );
}

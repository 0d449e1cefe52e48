import { FolderInput } from "lucide-react";
import { useEffect, useState } from "react";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { dropped } from "./files";

import type { PathedFile } from "./files";
import type { DragEvent, ReactNode } from "react";

interface DropFilesProps {
  onFiles: (files: PathedFile[]) => void;
  onFailed: (error: unknown) => void;
  className?: string;
  children: ReactNode;
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");

/** Takes files, folders and zips that are let go over it. */
export function DropFiles({ onFiles, onFailed, className, children }: DropFilesProps) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (!isOver) return;
    // The mouse does not move for the page while something is dragged: the drag has ended elsewhere.
    const end = (): void => setIsOver(false);
    window.addEventListener("mousemove", end);
    return () => window.removeEventListener("mousemove", end);
  }, [isOver]);
  const over = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setIsOver(true);
  };
  const leave = (event: DragEvent<HTMLElement>): void => {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
  };
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setIsOver(false);
    dropped(event.dataTransfer.items).then((files) => files.length && onFiles(files), onFailed);
  };
  return (
    <div className={cx("relative", className)} onDragEnter={over} onDragOver={over} onDragLeave={leave} onDrop={drop}>
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-10 flex flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed border-accent bg-accent-soft p-4 text-center text-accent">
          <FolderInput size={20} aria-hidden />
          <p className="font-medium">{t("projects.letGoToImport")}</p>
          <p className="text-sm">{t("projects.markdownFilesFoldersAndZips")}</p>
        </div>
      )}
    </div>
  );
}

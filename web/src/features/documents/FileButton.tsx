import { useRef } from "react";

import { Button } from "@/components/Button";

import type { LucideIcon } from "lucide-react";
import type { Ref } from "react";

/** What the server reads: `MIME_TYPES` in src/docagent/domain/documents.py. */
export const READABLE = ".pdf,.docx,.doc,.csv,.xls,.xlsx,.txt,.md,.jpg,.jpeg,.png,.gif,.webp,.bmp,.tiff,.tif";

interface FileButtonProps {
  onFiles: (files: File[]) => void;
  icon?: LucideIcon;
  ref?: Ref<HTMLButtonElement>;
  children?: string;
}

/** Opens the browser's file chooser. */
export function FileButton({ onFiles, icon, ref, children = "Choose files" }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={READABLE}
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <Button ref={ref} variant="primary" icon={icon} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}

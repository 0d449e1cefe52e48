import { useRef } from "react";

import { Button } from "@/components/Button";
import { t } from "@/lib/i18n";

import { READABLE } from "./formats";

import type { LucideIcon } from "lucide-react";
import type { Ref } from "react";

interface FileButtonProps {
  onFiles: (files: File[]) => void;
  icon?: LucideIcon;
  ref?: Ref<HTMLButtonElement>;
  children?: string;
}

/** Opens the browser's file chooser. */
export function FileButton({ onFiles, icon, ref, children = t("documents.chooseFiles") }: FileButtonProps) {
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

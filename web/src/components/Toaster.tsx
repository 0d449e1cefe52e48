import { X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { dismiss, useToasts } from "@/lib/toasts";

import { Button, IconButton } from "./Button";

/** Passing words in a strip of their own at the foot of the window. The page makes room for it: see `--toast-space`. */
export function Toaster() {
  const toasts = useToasts();
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--toast-space", `${strip.current?.offsetHeight ?? 0}px`);
  }, [toasts]);
  return (
    <div
      ref={strip}
      role="status"
      aria-live="polite"
      className={cx("fixed inset-x-0 bottom-0 z-50 flex flex-col bg-surface", toasts.length > 0 && "border-t")}
    >
      {toasts.map((toast) => (
        <div key={toast.id} className="flex items-center gap-2 py-1 pr-1 pl-4 appear">
          <span className="min-w-0 wrap-anywhere">{toast.text}</span>
          {toast.action && (
            <Button
              small
              variant="quiet"
              onClick={() => {
                toast.action?.run();
                dismiss(toast.id);
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <IconButton small icon={X} label={t("common.dismiss")} className="ml-auto" onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}

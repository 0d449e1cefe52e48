import { X } from "lucide-react";

import { dismiss, useToasts } from "@/lib/toasts";

import { Button, IconButton } from "./Button";

/** Passing words at the edge of the window. */
export function Toaster() {
  const toasts = useToasts();
  return (
    <div role="status" aria-live="polite" className="pointer-events-none fixed right-4 bottom-4 left-4 z-50 flex flex-col items-end gap-2">
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className="pointer-events-auto flex max-w-96 items-center gap-2 rounded-lg border bg-surface py-1 pr-1 pl-3 shadow-float appear"
        >
          <span className="min-w-0 flex-1 wrap-anywhere">{toast.text}</span>
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
          <IconButton small icon={X} label="Dismiss" onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}

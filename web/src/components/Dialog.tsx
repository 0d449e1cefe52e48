import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { IconButton } from "./Button";

import type { ReactNode } from "react";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  /** A dialog that cannot be left, such as the sign-in of an ended session. */
  mustAnswer?: boolean;
  /** The palette has no visible title bar. */
  bare?: boolean;
  className?: string;
  children: ReactNode;
}

/** For the rare thing that cannot be inline. Focus goes in, stays in, and comes back. */
export function Dialog({ open, onClose, title, description, mustAnswer, bare, className, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && !mustAnswer && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(10_12_16/0.4)]" />
        <Radix.Content
          aria-describedby={description ? undefined : ""}
          tabIndex={-1}
          onOpenAutoFocus={(event) => {
            // Nothing inside asked for the focus: the dialog itself takes it, not its first button.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          className={cx(
            "fixed top-[10dvh] left-1/2 z-50 flex max-h-[80dvh] w-[min(32rem,calc(100vw-1rem))] -translate-x-1/2 flex-col",
            "overflow-hidden rounded-lg border bg-surface shadow-float focus:outline-none",
            className,
          )}
        >
          <div className={bare ? "sr-only" : "flex items-center justify-between gap-4 border-b py-2 pr-2 pl-4"}>
            <Radix.Title className="text-lg">{title}</Radix.Title>
            {!mustAnswer && !bare && <IconButton icon={X} label={t("common.close")} onClick={onClose} />}
          </div>
          {description && <Radix.Description className="px-4 pt-3 text-muted">{description}</Radix.Description>}
          <div className={cx("min-h-0 overflow-y-auto", !bare && "p-4")}>{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

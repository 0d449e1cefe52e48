import { Popover as Radix } from "radix-ui";

import { cx } from "@/lib/cx";
import { leaveFocusElsewhere } from "@/lib/focus";

import type { ReactNode } from "react";

interface PopoverProps {
  trigger: ReactNode;
  /** What it is, for screen readers. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
  className?: string;
  children: ReactNode;
}

/** A small form or explanation beside the control that opened it. */
export function Popover({ trigger, label, open, onOpenChange, align = "start", className, children }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={leaveFocusElsewhere}
          className={cx(
            "z-40 max-h-(--radix-popover-content-available-height) w-72 overflow-y-auto rounded-lg border bg-surface",
            "p-3 shadow-float appear focus:outline-none",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

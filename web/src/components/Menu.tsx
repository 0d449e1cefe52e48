import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import { useRef } from "react";

import { cx } from "@/lib/cx";
import { leaveFocusElsewhere } from "@/lib/focus";

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

const ITEM =
  "flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 outline-none " +
  "data-highlighted:bg-hover data-disabled:cursor-not-allowed data-disabled:text-muted";

interface MenuProps {
  /** The control that opens it. */
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  children: ReactNode;
}

/** Actions behind one button. Type to find, arrows to move, Escape to leave. */
export function Menu({ trigger, align = "start", children }: MenuProps) {
  const leftFromOutside = useRef(false);
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onInteractOutside={() => (leftFromOutside.current = true)}
          onCloseAutoFocus={(event) => {
            // After a click outside, Radix itself leaves the focus alone.
            if (!leftFromOutside.current) leaveFocusElsewhere(event);
            leftFromOutside.current = false;
          }}
          className={
            "z-40 max-h-[min(24rem,var(--radix-dropdown-menu-content-available-height))] min-w-44 max-w-80 " +
            "overflow-y-auto rounded-lg border bg-surface p-1 shadow-float appear"
          }
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  icon?: LucideIcon;
  onSelect: () => void;
  danger?: boolean;
  /** Shown instead of doing anything. */
  disabledBecause?: string | false;
  /** A tick in front; the menu stays a menu of actions, one of which is the current choice. */
  checked?: boolean;
  note?: string;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, onSelect, danger, disabledBecause, checked, note, children }: MenuItemProps) {
  return (
    <Radix.Item
      disabled={Boolean(disabledBecause)}
      onSelect={onSelect}
      className={cx(ITEM, danger && "text-bad")}
      aria-current={checked || undefined}
    >
      {Icon && <Icon size={15} aria-hidden className="shrink-0" />}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {disabledBecause && <span className="block text-xs text-muted">{disabledBecause}</span>}
      </span>
      {note && <span className="text-xs text-muted">{note}</span>}
      {checked !== undefined && <Check size={15} aria-hidden className={checked ? undefined : "invisible"} />}
    </Radix.Item>
  );
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 py-1 text-xs text-muted">{children}</Radix.Label>;
}

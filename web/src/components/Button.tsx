import { LoaderCircle } from "lucide-react";

import { cx } from "@/lib/cx";

import { Tooltip } from "./Tooltip";

import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

export type ButtonVariant = "primary" | "plain" | "quiet" | "danger";

const LOOK: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-surface text-ink border-line hover:bg-hover",
  quiet: "bg-transparent text-ink border-transparent hover:bg-hover",
  danger: "bg-surface text-bad border-line hover:bg-bad-soft",
};
const SHAPE =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap " +
  "transition-colors select-none aria-disabled:opacity-60 aria-disabled:cursor-not-allowed";

/** How a button looks, for what is none. */
export function buttonLook(variant: ButtonVariant = "plain", small = false): string {
  return cx(SHAPE, LOOK[variant], sizeOf(small));
}

function sizeOf(small: boolean | undefined): string {
  return small ? "h-7 px-2 text-sm" : "h-8 px-3 text-base";
}

interface Shared extends Omit<ComponentProps<"button">, "disabled"> {
  variant?: ButtonVariant;
  small?: boolean;
  /** Why it cannot be pressed now. A button is never disabled without saying so. */
  disabledBecause?: string | false | null;
}

interface ButtonProps extends Shared {
  icon?: LucideIcon;
  /** What is being done at the moment, such as "Saving"; the button does nothing meanwhile. */
  busy?: string | false | null;
  children: ReactNode;
}

/** Says what happens: "Create tag", not "OK". */
export function Button({ icon: Icon, busy, children, small, className, ...rest }: ButtonProps) {
  return (
    <Pressable {...rest} blocked={Boolean(busy)} className={cx(sizeOf(small), className)}>
      {busy ? <LoaderCircle size={15} className="animate-spin" aria-hidden /> : Icon && <Icon size={15} aria-hidden />}
      {busy || children}
    </Pressable>
  );
}

interface IconButtonProps extends Shared {
  icon: LucideIcon;
  /** What it does, for screen readers and as a hint. */
  label: string;
}

/** A button with only a picture; its label shows as a hint. */
export function IconButton({ icon: Icon, label, small, className, variant = "quiet", ...rest }: IconButtonProps) {
  return (
    <Tooltip text={rest.disabledBecause || label}>
      <Pressable {...rest} variant={variant} aria-label={label} className={cx(small ? "size-7" : "size-8", className)}>
        <Icon size={small ? 15 : 16} aria-hidden />
      </Pressable>
    </Tooltip>
  );
}

function Pressable({
  variant = "plain",
  disabledBecause,
  blocked,
  className,
  onClick,
  ...rest
}: Omit<Shared, "small"> & { blocked?: boolean }) {
  const off = Boolean(disabledBecause) || blocked;
  return (
    <button
      type="button"
      {...rest}
      className={cx(SHAPE, LOOK[variant], className)}
      aria-disabled={off || undefined}
      title={disabledBecause || rest.title}
      onClick={(event) => {
        if (off) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

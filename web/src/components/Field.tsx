import { useId } from "react";

import { cx } from "@/lib/cx";

import type { ComponentProps, ReactNode } from "react";

interface FieldProps {
  label: string;
  /** Hide the label from the eye where the place says enough; screen readers still hear it. */
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | null;
  className?: string;
  children: (control: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => ReactNode;
}

/** A label, a control, a hint and an error, tied together. */
export function Field({ label, hideLabel, hint, error, className, children }: FieldProps) {
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className={cx("flex flex-col gap-1", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

const CONTROL =
  "w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink " +
  "aria-invalid:border-bad disabled:opacity-60";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={cx(CONTROL, "h-8", className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea {...rest} className={cx(CONTROL, "min-h-16 py-1.5", className)} />;
}

/** The browser's own select: works with every keyboard, screen reader and phone. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <select {...rest} className={cx(CONTROL, "h-8 pr-1", className)}>
      {children}
    </select>
  );
}

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: string;
  hideLabel?: boolean;
  /** Some but not all of what it stands for. */
  mixed?: boolean;
}

export function Checkbox({ label, hideLabel, mixed = false, className, ...rest }: CheckboxProps) {
  return (
    <label className={cx("inline-flex min-h-6 min-w-6 cursor-pointer items-center gap-2", className)}>
      <input
        {...rest}
        type="checkbox"
        ref={(input) => {
          if (input) input.indeterminate = mixed;
        }}
        className="m-1 size-4 shrink-0 cursor-pointer accent-(--accent)"
      />
      <span className={hideLabel ? "sr-only" : undefined}>{label}</span>
    </label>
  );
}

import { cx } from "@/lib/cx";

interface ProgressProps {
  /** What is under way: "Page 3 of 12". */
  label: string;
  value: number;
  max: number;
  hideLabel?: boolean;
  className?: string;
}

/** How far something is, in words and as a bar. */
export function Progress({ label, value, max, hideLabel, className }: ProgressProps) {
  const share = max > 0 ? Math.min(100, Math.round((value / max) * 100)) : 0;
  return (
    <div className={cx("flex min-w-0 flex-col gap-1", className)}>
      {!hideLabel && <span className="truncate text-sm text-muted">{label}</span>}
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1 overflow-hidden rounded-full bg-hover"
      >
        <div className="h-full bg-accent transition-[width]" style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}

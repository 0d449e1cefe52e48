import { useRef } from "react";

import { cx } from "@/lib/cx";
import { useRemembered } from "@/lib/remembered";

import type { KeyboardEvent, PointerEvent, ReactNode } from "react";

const STEP = 2;

interface SplitProps {
  /** Under this name the size is remembered. */
  name: string;
  left: ReactNode;
  right: ReactNode;
  /** What the handle divides: "Width of the panel". */
  label: string;
  /** The left pane's share in per cent, to begin with. */
  initial?: number;
  min?: number;
  max?: number;
  className?: string;
}

/** Two panes with a handle between them: drag it, or focus it and use the arrow keys; double click resets it. */
export function Split({ name, left, right, label, initial = 42, min = 20, max = 80, className }: SplitProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [share, setShare] = useRemembered(`split.${name}`, initial);
  const change = (next: number): void => setShare(Math.round(Math.min(max, Math.max(min, next)) * 10) / 10);

  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    change(((event.clientX - box.left) / box.width) * 100);
  };
  const press = (event: KeyboardEvent): void => {
    const targets: Record<string, number> = {
      ArrowLeft: share - STEP,
      ArrowRight: share + STEP,
      Home: min,
      End: max,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    change(target);
  };

  return (
    <div ref={frame} className={cx("flex min-h-0 min-w-0", className)}>
      <div className="flex min-h-0 min-w-0 flex-col" style={{ flex: `0 0 ${share}%` }}>
        {left}
      </div>
      {/* A separator that can be moved is a control: https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/ */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        role="separator"
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={Math.round(share)}
        aria-valuemin={min}
        aria-valuemax={max}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="relative w-px shrink-0 cursor-col-resize touch-none bg-line after:absolute after:inset-y-0 after:-inset-x-1.5 hover:bg-accent focus-visible:bg-accent"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => change(initial)}
        onKeyDown={press}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{right}</div>
    </div>
  );
}

import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { cx } from "@/lib/cx";
import { useShortcut } from "@/lib/shortcuts";

import { Input } from "./Field";

const TYPING_MS = 250;

interface SearchFieldProps {
  /** What is searched: "Search schemas". Listed in the help sheet under the group. */
  label: string;
  group: string;
  value: string;
  onFind: (value: string) => void;
  className?: string;
}

/** Search by name, a moment after the last key; `/` goes there. */
export function SearchField({ label, group, value, onFind, className }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(onFind);
  useEffect(() => {
    latest.current = onFind;
  });
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  useShortcut({ keys: "/", does: label, group }, () => input.current?.focus());
  return (
    <div role="search" className={cx("relative w-full", className ?? "sm:w-64")}>
      <Search size={15} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-muted" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        className="pl-8"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}

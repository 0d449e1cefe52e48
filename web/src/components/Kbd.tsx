import { shown } from "@/lib/shortcuts";

/** A key as it is written on the keyboard. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className="rounded-sm border bg-sunken px-1 font-sans text-xs whitespace-nowrap text-muted">{shown(keys)}</kbd>
  );
}

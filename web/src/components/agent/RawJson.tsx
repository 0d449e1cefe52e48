import { pretty } from "@/lib/agent/words";

/** JSON as it is, for those who want to see it. */
export function RawJson({ label, json }: { label: string; json: string | null }) {
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="text-xs text-muted">{label}</figcaption>
      <pre
        // What scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-64 overflow-auto rounded-md bg-sunken px-2 py-1.5 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {pretty(json)}
      </pre>
    </figure>
  );
}

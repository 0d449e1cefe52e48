interface Marked {
  passage: string;
  hits: { start: number; end: number }[];
}

/** A piece of a text with the words that were looked for. */
export function Passage({ of: { passage, hits } }: { of: Marked }) {
  // The server counts characters, of which some are two for a string.
  const letters = [...passage];
  const parts = hits.map(({ start, end }, at) => (
    <span key={start}>
      {letters.slice(hits[at - 1]?.end ?? 0, start).join("")}
      <mark className="rounded-xs bg-accent-soft text-ink">{letters.slice(start, end).join("")}</mark>
    </span>
  ));
  return (
    <>
      {parts}
      {letters.slice(hits.at(-1)?.end ?? 0).join("")}
    </>
  );
}

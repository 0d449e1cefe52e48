import type { ReactNode } from "react";

/** A part of a section: what it is, one sentence about it, and the controls. */
export function Card({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      <div>
        <h2 className="text-base">{title}</h2>
        {about && <p className="text-sm text-muted">{about}</p>}
      </div>
      {children}
    </section>
  );
}

import { useTitle } from "@/lib/title";

import type { ReactNode } from "react";

/** The heading of a page and its actions; names the browser's tab too. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  useTitle(title);
  return (
    <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h1 className="text-xl">{title}</h1>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}

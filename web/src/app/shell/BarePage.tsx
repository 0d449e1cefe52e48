import type { ReactNode } from "react";

/** A page without the frame, for when there is no organisation to show. */
export function BarePage({ children }: { children: ReactNode }) {
  return <main className="mx-auto w-full max-w-2xl p-4">{children}</main>;
}

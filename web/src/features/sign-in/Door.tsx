import { Logo } from "@/components/Logo";

import type { ReactNode } from "react";

/** A page for somebody who is not in yet. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center p-4">
      <div className="w-full max-w-80">
        <div className="mb-6 flex items-center gap-2">
          <Logo size={28} />
          <span className="text-lg font-semibold">docagent</span>
        </div>
        <h1 className="mb-4 text-xl wrap-anywhere">{title}</h1>
        {children}
      </div>
    </main>
  );
}

import { Check, Copy } from "lucide-react";
import { useState } from "react";

import { t } from "@/lib/i18n";

import { Button } from "./Button";
import { Input } from "./Field";
import { ErrorNote } from "./Notes";

import type { ReactNode } from "react";

interface ShownOnceProps {
  /** What it is: "Your new token". */
  title: string;
  /** What the value is, such as "token". */
  noun: string;
  value: string;
  onDone: () => void;
  children: ReactNode;
}

/** The only moment in which a secret can be seen and copied. */
export function ShownOnce({ title, noun, value, onDone, children }: ShownOnceProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setIsCopied(true),
      () => setError(t("components.theBrowserDidNotAllowIt", { noun })),
    );
  };
  return (
    <section aria-label={title} className="flex flex-col gap-2 rounded-lg border border-accent bg-accent-soft p-4">
      <p className="wrap-anywhere">{children}</p>
      <div className="flex flex-wrap gap-2">
        <Input readOnly aria-label={t("components.theNoun", { noun })} value={value} className="!w-auto min-w-64 flex-1 font-mono !text-sm" onFocus={(event) => event.target.select()} />
        <Button variant="primary" icon={isCopied ? Check : Copy} onClick={copy}>
          {isCopied ? t("components.copied") : t("components.copyNoun", { noun })}
        </Button>
        <Button onClick={onDone}>{t("components.iHaveIt")}</Button>
      </div>
      {error && <ErrorNote error={error} />}
    </section>
  );
}

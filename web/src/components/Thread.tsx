import { Link, useLocation } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { useFindValues, useThread } from "@/lib/api/thread";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { leftWords, millisecondsLeft, nextStep, stepsOf } from "@/lib/thread";
import type { Pile } from "@/lib/thread";

import { Button } from "./Button";
import { ButtonLink } from "./ButtonLink";

import type { ReactNode } from "react";

/** The way from files to sheets, the same on every page of it: how far each part is, and the next step as the only button. */
export function Thread({ end }: { end?: ReactNode }) {
  const pile = useThread();
  const orgPath = useOrgPath();
  const { pathname } = useLocation();
  if (!pile?.files) return null;
  return (
    <nav aria-label={t("thread.fromFilesToSheets")} className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-1.5 sm:px-4 low:flex-nowrap low:overflow-x-auto">
      <ol className="flex flex-wrap items-center low:flex-nowrap gap-x-1 text-sm text-muted tabular-nums">
        {stepsOf(pile).map(({ label, path }, place) => (
          <li key={place} className="flex items-center gap-1 whitespace-nowrap">
            {place > 0 && <ChevronRight size={13} aria-hidden className="text-line-strong" />}
            <Link to={orgPath(path)} className="flex min-h-6 items-center rounded-sm px-1 hover:text-ink hover:underline" activeProps={{ className: "font-medium text-ink" }}>
              {label}
            </Link>
          </li>
        ))}
      </ol>
      <Working pile={pile} />
      <span className="ml-auto flex flex-wrap items-center gap-2">{end ?? <NextStep pile={pile} small besides={pathname} />}</span>
    </nav>
  );
}

/** What is still under way, and about how long it takes. */
function Working({ pile: { unread, preparing } }: { pile: Pile }) {
  const left = unread + preparing;
  const begun = useRef<{ at: number; left: number } | null>(null);
  const [wait, setWait] = useState<number | null>(null);
  useEffect(() => {
    const now = { at: Date.now(), left };
    if (!left || !begun.current || left > begun.current.left) {
      begun.current = left ? now : null;
      setWait(null);
    } else {
      setWait(millisecondsLeft(begun.current, now));
    }
  }, [left]);
  const parts = [preparing > 0 && t("thread.findingTheValuesOfCount", { count: preparing }), left > 0 && wait !== null && leftWords(wait)];
  return (
    <span role="status" className="text-sm text-accent">
      {parts.filter(Boolean).join(", ")}
    </span>
  );
}

interface NextStepProps {
  pile: Pile | null;
  small?: boolean;
  /** The page that is shown, to which nothing leads. */
  besides?: string;
}

/** The button to the next step; where nothing is prepared, the one that prepares it. */
export function NextStep({ pile, small, besides }: NextStepProps) {
  const orgPath = useOrgPath();
  const find = useFindValues();
  if (!pile) return null;
  const next = nextStep(pile);
  if (next) {
    return orgPath(next.path) === besides ? null : (
      <ButtonLink variant="primary" small={small} to={orgPath(next.path)}>
        {next.label}
      </ButtonLink>
    );
  }
  if (pile.unread || pile.preparing) return null;
  return (
    <Button variant="primary" small={small} busy={find.isPending && t("common.starting")} onClick={() => find.mutate()}>
      {t("thread.findTheValues")}
    </Button>
  );
}

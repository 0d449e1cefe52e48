import { CircleAlert } from "lucide-react";

import { ApiError, messageOf } from "@/lib/api/errors";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { Button } from "./Button";

import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** It is all that the page shows, and so its heading. */
  heading?: boolean;
  children?: ReactNode;
}

/** One sentence where a list would be, and what to do next. */
export function EmptyState({ title, heading, children }: EmptyStateProps) {
  const Title = heading ? "h1" : "p";
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <Title className="text-lg font-normal text-muted">{title}</Title>
      {children}
    </div>
  );
}

interface ErrorNoteProps {
  /** An error, or a sentence. */
  error: unknown;
  /** What was being done: "The tag was not deleted." */
  what?: string;
  onRetry?: () => void;
  onDismiss?: () => void;
  /** Other next steps, as buttons. */
  children?: ReactNode;
  className?: string;
}

/** An error where it happened: what happened, what is kept, what to do. It stays until it is dealt with. */
export function ErrorNote({ error, what, onRetry, onDismiss, children, className }: ErrorNoteProps) {
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  return (
    <div
      role="alert"
      className={cx("flex flex-wrap items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad", className)}
    >
      {/* The sentence keeps room to be read: where the buttons leave it less, they go below. */}
      <div className="flex min-w-0 flex-[1_1_16rem] items-start gap-2">
        <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
        <p className="min-w-0 flex-1 wrap-anywhere">
          {what && <span className="font-medium">{what} </span>}
          {typeof error === "string" ? error : messageOf(error)}
          {requestId && <span className="block font-mono text-xs">{t("components.requestRequestId", { requestId })}</span>}
        </p>
      </div>
      {onRetry && (
        <Button small onClick={onRetry}>
          {t("common.tryAgain")}
        </Button>
      )}
      {children}
      {onDismiss && (
        <Button small onClick={onDismiss}>
          {t("common.dismiss")}
        </Button>
      )}
    </div>
  );
}

/** What is being waited for, in words, while nothing can be shown yet. */
export function Loading({ what }: { what: string }) {
  return (
    <p role="status" className="px-4 py-12 text-center text-muted">
      {t("components.loadingWhat", { what })}
    </p>
  );
}

import { lazy, Suspense } from "react";

import { t } from "@/lib/i18n";
import { part } from "@/lib/parts";

import { LoadingPart } from "./LoadingPart";

import type { TextDiffProps } from "./text/RenderedDiff";

const RenderedDiff = lazy(part(() => import("./text/RenderedDiff")));

/** Two versions of a markdown text as they read, with what differs marked; its code is fetched when it is first shown. */
export function TextDiff(props: TextDiffProps) {
  return (
    <Suspense fallback={<LoadingPart what={t("common.changes")} />}>
      <RenderedDiff {...props} />
    </Suspense>
  );
}

import { lazy, Suspense } from "react";

import { t } from "@/lib/i18n";
import { part } from "@/lib/parts";

import { LoadingPart } from "./LoadingPart";

import type { LiveEditorProps } from "./living/LiveEditor";

export type { Facts, Insertable } from "./living/facts";

const LiveEditor = lazy(part(() => import("./living/LiveEditor")));

/** An editor for markdown that shows the text as it reads; its code is fetched when it is first shown. */
export function LiveText(props: LiveEditorProps) {
  return (
    <Suspense fallback={<LoadingPart what={t("components.theEditor")} />}>
      <LiveEditor {...props} />
    </Suspense>
  );
}

import { lazy, Suspense } from "react";

import { t } from "@/lib/i18n";
import { part } from "@/lib/parts";

import { LoadingPart } from "./LoadingPart";

import type { CodeEditorProps } from "./code/Editor";

export type { CodeMark } from "./code/Editor";

const Editor = lazy(part(() => import("./code/Editor")));

/** An editor for JSON with errors at their place; its code is fetched when it is first shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<LoadingPart what={t("components.theEditor")} />}>
      <Editor {...props} />
    </Suspense>
  );
}

import { lazy, Suspense } from "react";

import { Loading } from "./Notes";

import type { CodeEditorProps } from "./code/Editor";

export type { CodeMark } from "./code/Editor";

const Editor = lazy(() => import("./code/Editor"));

/** An editor for JSON with errors at their place; its code is fetched when it is first shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading what="the editor" />}>
      <Editor {...props} />
    </Suspense>
  );
}

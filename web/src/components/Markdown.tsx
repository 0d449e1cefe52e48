import { lazy, Suspense } from "react";

import { part } from "@/lib/parts";

import type { Insert, OwnLinks, RenderedProps } from "./text/Rendered";

const load = part(() => import("./text/Rendered"));
const Rendered = lazy(load);

export type { Insert, OwnLinks };
export type { Lines } from "./text/outline";

/** Markdown from a model or a person: sanitised, without remote images, links with their host. Loaded when first shown. */
export function Markdown(props: RenderedProps) {
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{props.text}</div>}>
      <Rendered {...props} />
    </Suspense>
  );
}

/** Fetch the code before there is text, so that nothing is drawn twice. */
export function prepareMarkdown(): void {
  void load();
}

import { lazy, Suspense } from "react";

import type { OwnLinks } from "./text/Rendered";

const load = () => import("./text/Rendered");
const Rendered = lazy(load);

export type { OwnLinks };

interface MarkdownProps {
  text: string;
  own?: OwnLinks;
}

/** Markdown from a model or a person: sanitised, without remote images, links with their host. Loaded when first shown. */
export function Markdown({ text, own }: MarkdownProps) {
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{text}</div>}>
      <Rendered text={text} own={own} />
    </Suspense>
  );
}

/** Fetch the code before there is text, so that nothing is drawn twice. */
export function prepareMarkdown(): void {
  void load();
}

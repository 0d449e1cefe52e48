import { useMemo } from "react";
import ReactMarkdown, { defaultUrlTransform } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";

import { cx } from "@/lib/cx";
import type { LeftOut } from "@/lib/diff";
import { t } from "@/lib/i18n";
import { isOwn } from "@/lib/ownLinks";
import { textChanges } from "@/lib/textDiff";
import type { TextChange } from "@/lib/textDiff";

import { SCHEMA, Task } from "./Rendered";

import type { Element, ElementContent, Nodes, Root, Text } from "hast";
import type { ReactNode } from "react";
import type { Components } from "react-markdown";

export interface TextDiffProps {
  before: string;
  after: string;
  label: string;
  /** What was left out of both texts before; null when that is not known, and then nothing is left out. */
  leftOut?: LeftOut | null;
  /** One of several parts of something that is named already: no landmark of its own. */
  isPart?: boolean;
}

const NOTHING: LeftOut = { above: 0, below: 0 };
const SIGN = { same: " ", added: "+", removed: "-" } as const;
const LOOK = { same: "", added: "bg-good-soft", removed: "bg-bad-soft" } as const;
const HEADING = ({ children }: { children?: ReactNode }): ReactNode => <p className="text-base font-semibold">{children}</p>;

/** Links lead nowhere here, and what they lead to is not shown. */
const PLAIN: Components = {
  ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, HEADING])),
  a: ({ href = "", children }) => <span className={isOwn(href) ? "citation underline decoration-dotted" : "underline"}>{children}</span>,
  img: ({ alt }) => <span className="text-muted">{alt ? t("components.imageNotShownAlt", { alt }) : t("components.imageNotShown")}</span>,
  input: ({ checked }) => <Task isDone={Boolean(checked)} />,
  thead: ({ children }) => <thead className="[&:not(:has(th:not(:empty)))]:hidden">{children}</thead>,
};

/** Import TextDiff instead: it loads this when it is needed. */
export default function RenderedDiff({ before, after, label, leftOut = NOTHING, isPart = false }: TextDiffProps) {
  const changes = useMemo(() => textChanges(before, after, leftOut), [before, after, leftOut]);
  if (!changes.length) return <p className="text-muted">{t("components.onlyBlanksDiffer")}</p>;
  return (
    <div
      role={isPart ? "group" : "region"}
      aria-label={label}
      // What scrolls must be reachable by keyboard.
      tabIndex={0}
      className="overflow-x-auto rounded-md border bg-surface py-1 text-sm"
    >
      {changes.map((change, index) =>
        change.kind === "gap" ? (
          <p key={index} className="bg-sunken px-2 text-xs leading-6 text-muted">
            {t("components.unchangedPartsAreLeftOut")}
          </p>
        ) : (
          <Part key={index} change={change} />
        ),
      )}
    </div>
  );
}

function Part({ change: { kind, text, differs } }: { change: TextChange }) {
  const marks = useMemo(() => ({ differs, tag: kind === "added" ? "ins" : "del" }), [differs, kind]);
  return (
    <div className={cx("flex px-2 py-0.5", LOOK[kind])}>
      <span aria-hidden className="w-4 shrink-0 font-mono select-none">
        {SIGN[kind]}
      </span>
      {kind !== "same" && <span className="sr-only">{kind === "added" ? t("components.added") : t("components.removed")}</span>}
      <div className="prose min-w-0 flex-1">
        <ReactMarkdown
          skipHtml
          remarkPlugins={[remarkGfm]}
          rehypePlugins={[[rehypeSanitize, SCHEMA], [marked, marks]]}
          urlTransform={(address) => (isOwn(address) ? address : defaultUrlTransform(address))}
          components={PLAIN}
        >
          {text}
        </ReactMarkdown>
      </div>
    </div>
  );
}

/** Marks the words that differ, and links of which only the address does. */
function marked({ differs, tag }: { differs: TextChange["differs"]; tag: string }): (tree: Root) => void {
  const touches = (from: number, to: number): boolean => differs.some(([begin, end]) => begin < to && end > from);
  const visit = (node: Nodes): void => {
    if (!("children" in node)) return;
    // What stands for a child may stand wherever the child may.
    const children: Nodes[] = node.children;
    node.children = children.flatMap((child): Nodes[] => {
      if (child.type === "text") return pieces(child);
      visit(child);
      const [from, to] = [child.position?.start.offset ?? 0, child.position?.end.offset ?? 0];
      if (child.type !== "element" || child.tagName !== "a" || !touches(from, to) || holdsMark(child)) return [child];
      return [wrapped([child])];
    }) as never;
  };
  const wrapped = (children: ElementContent[]): Element => ({ type: "element", tagName: tag, properties: { className: ["diff-word"] }, children });
  const pieces = (node: Text): ElementContent[] => {
    const from = node.position?.start.offset;
    const to = node.position?.end.offset;
    if (from === undefined || to === undefined || !touches(from, to)) return [node];
    // With escapes or references the places in the text are others.
    if (to - from !== node.value.length) return [wrapped([node])];
    const cuts = [...new Set([from, to, ...differs.flat().filter((place) => place > from && place < to)])].sort((one, other) => one - other);
    return cuts.slice(0, -1).map((begin, place) => {
      const end = cuts[place + 1] ?? to;
      const part: Text = { type: "text", value: node.value.slice(begin - from, end - from) };
      return touches(begin, end) && part.value.trim() ? wrapped([part]) : part;
    });
  };
  const holdsMark = (node: Element): boolean => node.children.some((child) => child.type === "element" && (child.tagName === tag || holdsMark(child)));
  return visit;
}

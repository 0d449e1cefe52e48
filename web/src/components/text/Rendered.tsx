import { Square, SquareCheck } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import ReactMarkdown, { defaultUrlTransform } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

import type { BoundNow } from "@/lib/bound";
import { t } from "@/lib/i18n";
import { useInView } from "@/lib/inView";
import { isOwn, OWN_SCHEMES } from "@/lib/ownLinks";

import { BoundTable } from "../BoundTable";

import { bound, foundAt, marked, outline, placed } from "./outline";
import { piecesOf } from "./pieces";

import type { Lines } from "./outline";
import type { Piece, Pieces } from "./pieces";
import type { Properties } from "hast";
import type { MouseEvent, ReactNode } from "react";
import type { Components, Options } from "react-markdown";

const OUTWARD = ["http", "https", "mailto"];
export const SCHEMA = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: [...OUTWARD, ...OWN_SCHEMES] },
};

const NONE: readonly Lines[] = [];
const NO_INSERTS: readonly Insert[] = [];
const SAFE: NonNullable<Options["rehypePlugins"]> = [[rehypeSanitize, SCHEMA]];

/** Links to things of ours, such as `doc:...`: where they lead, and how to go there without leaving the page. */
export interface OwnLinks {
  addressOf: (href: string) => string | null;
  open: (address: string, href: string) => void;
  /** What is known about a citation: where it is from, and what has changed there. */
  cited?: (href: string, title: string) => { from: string; note: string | null } | null;
  /** What is known of a table that stands for a sheet. */
  bound?: (href: string) => BoundNow | null;
}

/** Headings of an answer stand below those of the page, on one level. */
const FLAT: Components = Object.fromEntries(
  ["h1", "h3", "h4", "h5", "h6"].map((name) => [name, ({ children }: { children?: ReactNode }) => <h2>{children}</h2>]),
);

/** Something that stands in the text after the part with this line; 0 is the top. */
export interface Insert {
  line: number;
  content: ReactNode;
}

export interface RenderedProps {
  text: string;
  own?: OwnLinks;
  /** The level of the text's highest headings, for a text that is a document with an outline. */
  top?: number;
  /** Lines of the text that somebody would like to change. */
  suggested?: readonly Lines[];
  /** In the order of their lines; only in a document with an outline. */
  inserts?: readonly Insert[];
  /** A line that was looked for: it is shown. Another object with the same line shows it again. */
  found?: { line: number } | null;
}

/** Import Markdown instead: it loads this when it is needed. */
export default function Rendered({ text, found = null, ...rest }: RenderedProps) {
  const { top } = rest;
  const box = useRef<HTMLDivElement>(null);
  const parts = useMemo(() => (top ? piecesOf(text) : null), [text, top]);
  useEffect(() => {
    if (found) box.current?.querySelector(".found")?.scrollIntoView?.({ block: "center" });
  }, [found]);
  return (
    <div ref={box} className={top ? "prose prose-document" : "prose"}>
      {parts ? (
        parts.pieces.map((piece) => <InView key={piece.line} piece={piece} of={parts} found={found} {...rest} />)
      ) : (
        <Drawn text={text} found={found} {...rest} />
      )}
    </div>
  );
}

interface InViewProps extends Omit<RenderedProps, "text"> {
  piece: Piece;
  of: Pieces;
}

/** A piece of a long text. Until it comes into view it is the text as it was written, where it can be searched. */
function InView({ piece, of: { definitions, levels }, suggested = NONE, inserts = NO_INSERTS, found, ...rest }: InViewProps) {
  const [element, hasBeenSeen] = useInView<HTMLDivElement>();
  const holdsFound = found ? holds(piece, found.line) : false;
  const isSeen = hasBeenSeen || holdsFound;
  // The definitions come first: of two for the same name, the first of the whole text holds.
  const above = definitions ? `${definitions}\n\n` : "";
  const shift = piece.line - 1 - (above.match(/\n/g) ?? []).length;
  const last = piece.line + (piece.text.match(/\n/g) ?? []).length;
  const isHere = ({ line }: Insert): boolean => Math.max(1, line) >= piece.line && Math.max(1, line) <= last;
  return (
    <div ref={element} className={isSeen ? "piece" : "piece piece-out-of-view"}>
      {isSeen ? (
        <Drawn
          {...rest}
          text={above + piece.text}
          levels={levels}
          suggested={suggested.map(({ from, to }) => ({ from: from - shift, to: to - shift }))}
          inserts={inserts.filter(isHere).map(({ line, content }) => ({ line: line - shift, content }))}
          found={found && holdsFound ? { line: found.line - shift } : null}
        />
      ) : (
        piece.text
      )}
    </div>
  );
}

function holds({ text, line }: Piece, wanted: number): boolean {
  return wanted >= line && wanted < line + text.split("\n").length;
}

function Drawn({ text, own, top, levels, suggested = NONE, inserts = NO_INSERTS, found }: RenderedProps & { levels?: readonly number[] }) {
  const places = { lines: inserts.map(({ line }) => line) };
  return (
    <ReactMarkdown
      skipHtml
      remarkPlugins={[remarkGfm]}
      rehypePlugins={
        top ? [...SAFE, [outline, { top, levels }], [marked, { lines: suggested }], [foundAt, { line: found?.line ?? null }], [placed, places], bound] : SAFE
      }
      urlTransform={(address) => (isOwn(address) ? address : defaultUrlTransform(address))}
      components={{
        a: ({ href, title, children }) => (
          <SafeLink href={href} title={title} own={own}>
            {children}
          </SafeLink>
        ),
        ...(top ? {} : FLAT),
        // What scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        table: ({ children }) => <table tabIndex={0}>{children}</table>,
        input: ({ checked }) => <Task isDone={Boolean(checked)} />,
        figure: ({ node }) => <Bound properties={node?.properties} text={text} own={own} />,
        aside: ({ node }) => <aside>{inserts[Number(node?.properties.dataInsert)]?.content}</aside>,
        img: ({ alt }) => <span className="text-muted">{alt ? t("components.imageNotShownAlt", { alt }) : t("components.imageNotShown")}</span>,
      }}
    >
      {text}
    </ReactMarkdown>
  );
}

/** What a paragraph and its table stand for. */
function Bound({ properties, text, own }: { properties: Properties | undefined; text: string; own?: OwnLinks }) {
  const href = String(properties?.dataHref ?? "");
  const address = own?.addressOf(href);
  const { className } = properties ?? {};
  return (
    <div className={Array.isArray(className) ? className.join(" ") : undefined}>
      <BoundTable
        caption={String(properties?.dataCaption ?? "")}
        href={href}
        source={text.slice(Number(properties?.dataFrom), Number(properties?.dataTo))}
        known={own?.bound?.(href) ?? null}
        onOpen={own && address ? () => own.open(address, href) : undefined}
      />
    </div>
  );
}

/** A task of a list. It is changed in the text, not here. */
export function Task({ isDone }: { isDone: boolean }) {
  const Icon = isDone ? SquareCheck : Square;
  return <Icon size={15} role="img" aria-label={isDone ? t("components.done") : t("common.toDo")} className="mr-1.5 inline-block align-[-2px] text-muted" />;
}

/** A link says where it leads, because its text may say something else. */
function SafeLink({ href, title = "", own, children }: { href?: string; title?: string; own?: OwnLinks; children?: ReactNode }) {
  if (!href) return <>{children}</>;
  if (isOwn(href)) {
    const address = own?.addressOf(href);
    if (!own || !address) return <>{children}</>;
    const follow = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      own.open(address, href);
    };
    const cited = own.cited?.(href, title);
    return (
      <a href={address} onClick={follow} title={cited?.from} className={cited ? (cited.note ? "citation citation-stale" : "citation") : undefined}>
        {children}
        {cited?.note && <span className="citation-note"> ({cited.note})</span>}
      </a>
    );
  }
  const host = hostOf(href);
  const leavesHere = host !== null && host !== location.host;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target={leavesHere ? "_blank" : undefined}>
      {children}
      {leavesHere && <span className="text-muted"> ({host})</span>}
    </a>
  );
}

export function hostOf(href: string): string | null {
  try {
    return new URL(href, location.origin).host || null;
  } catch {
    return null;
  }
}

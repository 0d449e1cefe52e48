import ReactMarkdown, { defaultUrlTransform } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

import type { MouseEvent, ReactNode } from "react";

const OUTWARD = ["http", "https", "mailto"];
const OWN = ["doc", "schema_rev", "schema", "prompt_rev", "prompt", "tag"];
const SCHEMA = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== "input"),
  protocols: { ...defaultSchema.protocols, href: [...OUTWARD, ...OWN] },
};

/** Links to things of ours, such as `doc:...`: where they lead, and how to go there without leaving the page. */
export interface OwnLinks {
  addressOf: (href: string) => string | null;
  open: (address: string, href: string) => void;
}

function isOwn(address: string): boolean {
  return OWN.some((scheme) => address.startsWith(`${scheme}:`));
}

/** Import Markdown instead: it loads this when it is needed. */
export default function Rendered({ text, own }: { text: string; own?: OwnLinks }) {
  return (
    <div className="prose">
      <ReactMarkdown
        skipHtml
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, SCHEMA]]}
        urlTransform={(address) => (isOwn(address) ? address : defaultUrlTransform(address))}
        components={{
          a: ({ href, children }) => (
            <SafeLink href={href} own={own}>
              {children}
            </SafeLink>
          ),
          // Headings of a text stand below those of the page, on one level.
          h1: ({ children }) => <h2>{children}</h2>,
          h3: ({ children }) => <h2>{children}</h2>,
          h4: ({ children }) => <h2>{children}</h2>,
          h5: ({ children }) => <h2>{children}</h2>,
          h6: ({ children }) => <h2>{children}</h2>,
          img: ({ alt }) => <span className="text-muted">[image not shown{alt ? `: ${alt}` : ""}]</span>,
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

/** A link says where it leads, because its text may say something else. */
function SafeLink({ href, own, children }: { href?: string; own?: OwnLinks; children?: ReactNode }) {
  if (!href) return <>{children}</>;
  if (isOwn(href)) {
    const address = own?.addressOf(href);
    if (!own || !address) return <>{children}</>;
    const follow = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      own.open(address, href);
    };
    return (
      <a href={address} onClick={follow}>
        {children}
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

import { isOwn } from "@/lib/ownLinks";
import { cellText } from "@/lib/pipeTable";

import { parsed } from "./language";

import type { Facts } from "./facts";
import type { SyntaxNode } from "@lezer/common";

const MARKS = new Set(["EmphasisMark", "StrikethroughMark", "CodeMark", "LinkMark"]);
const TAGS: Record<string, string> = { StrongEmphasis: "strong", Emphasis: "em", Strikethrough: "s", InlineCode: "code" };

/** The parts of a link: what it shows, where it leads, and its title. */
export interface LinkParts {
  text: string;
  href: string;
  title: string;
}

/** What a link says; null for a form without an address of its own. */
export function linkParts(node: SyntaxNode, slice: (from: number, to: number) => string): LinkParts | null {
  const marks = node.getChildren("LinkMark");
  const address = node.getChild("URL");
  const [open, close] = marks;
  if (!open || !close || !address) return null;
  const title = node.getChild("LinkTitle");
  return {
    text: cellText(slice(open.to, close.from)),
    href: slice(address.from, address.to).replace(/^<|>$/g, ""),
    title: title ? cellText(slice(title.from + 1, title.to - 1)) : "",
  };
}

/** A link to something of ours as a chip: its words, and where they are from. */
export function chip({ text, href, title }: LinkParts, { cited }: Pick<Facts, "cited">): HTMLElement {
  const known = cited(href, title);
  const element = document.createElement("span");
  element.className = known?.note ? "chip chip-stale" : "chip";
  element.textContent = text;
  element.dataset.href = href;
  if (known) element.title = known.from;
  if (known?.note) {
    const note = document.createElement("span");
    note.className = "chip-note";
    note.textContent = ` (${known.note})`;
    element.append(note);
  }
  return element;
}

/** Draws a line of markdown into an element: emphasis, code, and links. */
export function drawLine(source: string, into: HTMLElement, known: Facts): void {
  const block = parsed.parse(source).topNode.firstChild;
  if (block) drawChildren(block, source, into, known);
  else into.append(source);
}

function drawChildren(node: SyntaxNode, source: string, into: HTMLElement, known: Facts): void {
  let at = node.from;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.from > at) into.append(cellText(source.slice(at, child.from)));
    drawNode(child, source, into, known);
    at = child.to;
  }
  if (at < node.to) into.append(cellText(source.slice(at, node.to)));
}

function drawNode(node: SyntaxNode, source: string, into: HTMLElement, known: Facts): void {
  if (MARKS.has(node.name)) return;
  const tag = TAGS[node.name];
  const link = node.name === "Link" ? linkParts(node, (from, to) => source.slice(from, to)) : null;
  if (tag) {
    const element = into.appendChild(document.createElement(tag));
    drawChildren(node, source, element, known);
  } else if (link) {
    into.append(isOwn(link.href) ? chip(link, known) : link.text);
  } else {
    into.append(cellText(source.slice(node.from, node.to)));
  }
}

import { boundTo } from "@/lib/bound";

import type { Element, Nodes, Root, RootContent } from "hast";

const HEADING = /^h([1-6])$/;

/** A stretch of lines, both ends included, counted from 1. */
export interface Lines {
  from: number;
  to: number;
}

/**
 * Puts the headings of a text below those of the page: the highest that is used gets `top`, the next the one after it,
 * so that no level is left out. How large a heading looks still goes by how it was written. `levels` are those of the whole
 * text, where this is a part of it.
 */
export function outline({ top, levels }: { top: number; levels?: readonly number[] }): (tree: Root) => void {
  return (tree) => {
    const found = headingsIn(tree);
    const used = [...new Set([...(levels ?? []), ...found.map(levelOf)])].sort((a, b) => a - b);
    for (const heading of found) {
      const level = levelOf(heading);
      heading.properties.className = [`heading-${Math.min(level, 4)}`];
      heading.tagName = `h${Math.min(6, top + used.indexOf(level))}`;
    }
  };
}

/** Marks the parts of a text that stand in these lines. */
export function marked({ lines }: { lines: readonly Lines[] }): (tree: Root) => void {
  return (tree) => {
    for (const node of tree.children) {
      const place = node.position;
      if (node.type !== "element" || !place) continue;
      const isMeant = lines.some(({ from, to }) => from <= place.end.line && to >= place.start.line);
      if (isMeant) node.properties.className = [...classes(node), "suggested"];
    }
  };
}

/** Puts places for inserts between the parts of a text: each after the part in which its line stands, or at the top. */
export function placed({ lines }: { lines: readonly number[] }): (tree: Root) => void {
  return (tree) => {
    // From the last to the first, so that those after the same part stay in their order.
    for (let number = lines.length - 1; number >= 0; number -= 1) {
      const line = lines[number] ?? 0;
      const before = tree.children.findLastIndex((node) => node.type === "element" && node.position && node.position.start.line <= line);
      tree.children.splice(before + 1, 0, { type: "element", tagName: "aside", properties: { dataInsert: number }, children: [] });
    }
  };
}

/** Marks the part of a text that holds this line, or the one above it if the line shows nothing. */
export function foundAt({ line }: { line: number | null }): (tree: Root) => void {
  return (tree) => {
    if (line === null) return;
    const parts = tree.children.filter((node) => node.type === "element");
    const part = parts.findLast((node) => (node.position?.start.line ?? Infinity) <= line) ?? parts[0];
    if (part) part.properties.className = [...classes(part), "found"];
  };
}

/** Puts a paragraph that is only a link to a sheet, and the table below it, into one place for what they stand for. */
export function bound(): (tree: Root) => void {
  return (tree) => {
    const { children } = tree;
    for (let at = 0; at < children.length; at += 1) {
      const link = onlyLink(children[at]);
      const href = String(link?.properties.href ?? "");
      if (!link || !boundTo(href)) continue;
      const next = children.findIndex((node, place) => place > at && node.type === "element");
      const table = children[next];
      const isTable = table?.type === "element" && table.tagName === "table";
      const place = isTable ? table.position : undefined;
      const properties = { dataHref: href, dataCaption: textOf(link), dataFrom: place?.start.offset ?? 0, dataTo: place?.end.offset ?? 0 };
      const old = children[at];
      const className = old?.type === "element" ? classes(old) : [];
      children.splice(at, isTable ? next - at + 1 : 1, { type: "element", tagName: "figure", properties: { ...properties, className }, children: [], position: old?.position });
    }
  };
}

function onlyLink(node: RootContent | undefined): Element | null {
  if (node?.type !== "element" || node.tagName !== "p" || node.children.length !== 1) return null;
  const [link] = node.children;
  return link?.type === "element" && link.tagName === "a" ? link : null;
}

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

function classes({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

function headingsIn(node: Nodes): Element[] {
  if (!("children" in node)) return [];
  const here = node.type === "element" && HEADING.test(node.tagName) ? [node] : [];
  return [...here, ...node.children.flatMap(headingsIn)];
}

function levelOf({ tagName }: Element): number {
  return Number(HEADING.exec(tagName)?.[1] ?? 1);
}

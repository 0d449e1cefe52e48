import { syntaxTree } from "@codemirror/language";
import { Decoration, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";

import { t } from "@/lib/i18n";
import { isOwn } from "@/lib/ownLinks";

import { chip, linkParts } from "./drawn";
import { facts } from "./facts";

import type { LinkParts } from "./drawn";
import type { Facts } from "./facts";
import type { EditorState, Range } from "@codemirror/state";
import type { DecorationSet, ViewUpdate } from "@codemirror/view";
import type { SyntaxNodeRef } from "@lezer/common";

const HIDDEN = Decoration.replace({});
const MARKED: Record<string, Decoration> = Object.fromEntries(
  Object.entries({ Emphasis: "md-em", StrongEmphasis: "md-strong", Strikethrough: "md-strike", InlineCode: "md-code", Link: "md-link", Autolink: "md-link" }).map(
    ([name, look]) => [name, Decoration.mark({ class: look })],
  ),
);
const LINES: Record<string, string> = {
  ATXHeading1: "md-heading md-heading-1",
  ATXHeading2: "md-heading md-heading-2",
  ATXHeading3: "md-heading md-heading-3",
  ATXHeading4: "md-heading",
  ATXHeading5: "md-heading",
  ATXHeading6: "md-heading",
  SetextHeading1: "md-heading md-heading-1",
  SetextHeading2: "md-heading md-heading-2",
  FencedCode: "md-block-code",
  CodeBlock: "md-block-code",
  Blockquote: "md-quote",
};
const MARKS = new Set(["HeaderMark", "EmphasisMark", "StrikethroughMark", "CodeMark", "CodeInfo", "QuoteMark"]);

/** Headings, emphasis, lists and links as they look; their marks are seen on the lines with the cursor. */
export const inline = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    atoms: DecorationSet;

    constructor(view: EditorView) {
      [this.decorations, this.atoms] = drawnIn(view);
    }

    update(update: ViewUpdate): void {
      const isOther = update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged;
      if (isOther || syntaxTree(update.startState) !== syntaxTree(update.state)) [this.decorations, this.atoms] = drawnIn(update.view);
    }
  },
  {
    decorations: (plugin) => plugin.decorations,
    provide: (plugin) => EditorView.atomicRanges.of((view) => view.plugin(plugin)?.atoms ?? Decoration.none),
  },
);

function drawnIn(view: EditorView): [DecorationSet, DecorationSet] {
  const { state } = view;
  const found: Range<Decoration>[] = [];
  const atoms: Range<Decoration>[] = [];
  const isRaw = (from: number, to: number): boolean => view.hasFocus && isTouched(state, from, to);
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: (node) => {
        if (node.name === "Link") {
          const atom = chipOf(state, node);
          if (atom) {
            found.push(atom);
            atoms.push(atom);
            return false;
          }
        }
        draw(state, node, isRaw, found);
        return undefined;
      },
    });
  }
  return [Decoration.set(found, true), Decoration.set(atoms, true)];
}

/** Whether the cursor is on one of the lines. */
export function isTouched(state: EditorState, from: number, to: number): boolean {
  const [first, last] = [state.doc.lineAt(from).from, state.doc.lineAt(to).to];
  return state.selection.ranges.some((range) => range.from <= last && range.to >= first);
}

function draw(state: EditorState, node: SyntaxNodeRef, isRaw: (from: number, to: number) => boolean, found: Range<Decoration>[]): void {
  const { name, from, to } = node;
  const look = LINES[name];
  if (look) eachLine(state, from, to, (at) => found.push(Decoration.line({ class: look }).range(at)));
  const mark = MARKED[name];
  if (mark && from < to) found.push(mark.range(from, to));
  if (isRaw(from, to)) {
    if (name === "ListMark" || name === "HeaderMark" || name === "QuoteMark") found.push(Decoration.mark({ class: "md-mark" }).range(from, to));
    return;
  }
  if (MARKS.has(name)) found.push(HIDDEN.range(from, name === "HeaderMark" || name === "QuoteMark" ? withBlank(state, to) : to));
  else if (name === "ListMark") drawListMark(state, node, found);
  else if (name === "TaskMarker") found.push(Decoration.replace({ widget: new Task(/x/i.test(state.sliceDoc(from, to)), from, state.sliceDoc(to, state.doc.lineAt(to).to).trim()) }).range(from, to));
  else if (name === "HorizontalRule") found.push(Decoration.replace({ widget: new Rule() }).range(from, to));
  else if (name === "Escape") found.push(HIDDEN.range(from, from + 1));
  else if (name === "Link") hideLinkMarks(state, node, found);
}

function drawListMark(state: EditorState, node: SyntaxNodeRef, found: Range<Decoration>[]): void {
  const { from, to } = node;
  if (/\d/.test(state.sliceDoc(from, to))) return;
  const isTask = /^[ \t]+\[[ xX]\]/.test(state.sliceDoc(to, to + 8));
  found.push(isTask ? HIDDEN.range(from, withBlank(state, to)) : Decoration.replace({ widget: new Bullet() }).range(from, to));
}

/** Of `[text](address "title")` the text stays. */
function hideLinkMarks(state: EditorState, { node, from, to }: SyntaxNodeRef, found: Range<Decoration>[]): void {
  const [open, close] = node.getChildren("LinkMark");
  if (!open || !close || !node.getChild("URL")) return;
  found.push(HIDDEN.range(from, open.to));
  // What is hidden may not hold a line break; a title may.
  if (state.doc.lineAt(close.from).number === state.doc.lineAt(to).number) found.push(HIDDEN.range(close.from, to));
}

function chipOf(state: EditorState, { node, from, to }: SyntaxNodeRef): Range<Decoration> | null {
  if (state.doc.lineAt(from).number !== state.doc.lineAt(to).number) return null;
  const parts = linkParts(node.node, (begin, end) => state.sliceDoc(begin, end));
  return parts && isOwn(parts.href) ? Decoration.replace({ widget: new Chip(parts, state.facet(facts)) }).range(from, to) : null;
}

function withBlank(state: EditorState, to: number): number {
  return state.sliceDoc(to, to + 1) === " " ? to + 1 : to;
}

function eachLine(state: EditorState, from: number, to: number, visit: (at: number) => void): void {
  for (let at = from; at <= to; ) {
    const line = state.doc.lineAt(at);
    visit(line.from);
    at = line.to + 1;
  }
}

class Chip extends WidgetType {
  private readonly known: string;

  constructor(
    private readonly parts: LinkParts,
    private readonly of: Facts,
  ) {
    super();
    this.known = JSON.stringify([parts, of.cited(parts.href, parts.title)]);
  }

  override eq(other: Chip): boolean {
    return other.known === this.known;
  }

  override toDOM(): HTMLElement {
    const element = chip(this.parts, this.of);
    element.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey) this.of.open(this.parts.href);
    });
    return element;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

class Bullet extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "md-bullet";
    element.textContent = "•";
    return element;
  }
}

class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "md-rule";
    element.setAttribute("role", "separator");
    return element;
  }
}

/** A task of a list, done with a click. */
class Task extends WidgetType {
  constructor(
    private readonly isDone: boolean,
    private readonly at: number,
    private readonly text: string,
  ) {
    super();
  }

  override eq(other: Task): boolean {
    return other.isDone === this.isDone && other.at === this.at && other.text === this.text;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = this.isDone;
    box.tabIndex = -1;
    box.className = "md-task";
    box.setAttribute("aria-label", this.text || t("projects.aTaskWithoutText"));
    box.addEventListener("mousedown", (event) => event.preventDefault());
    box.addEventListener("click", (event) => {
      event.preventDefault();
      view.dispatch({ changes: { from: this.at, to: this.at + 3, insert: this.isDone ? "[ ]" : "[x]" }, userEvent: "input" });
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

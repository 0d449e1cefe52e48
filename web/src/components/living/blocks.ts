import { syntaxTree } from "@codemirror/language";
import { StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

import { boundTo } from "@/lib/bound";
import type { BoundNow } from "@/lib/bound";
import { pipeTable } from "@/lib/pipeTable";
import type { Cell, PipeTable } from "@/lib/pipeTable";

import { BoundTable } from "../BoundTable";
import { TooltipProvider } from "../Tooltip";

import { drawLine, linkParts } from "./drawn";
import { facts } from "./facts";
import { isTouched } from "./inline";

import type { LinkParts } from "./drawn";
import type { Facts } from "./facts";
import type { EditorState, Range } from "@codemirror/state";
import type { DecorationSet } from "@codemirror/view";
import type { SyntaxNode, Tree } from "@lezer/common";
import type { Root } from "react-dom/client";

interface Blocks {
  tree: Tree;
  drawn: DecorationSet;
  /** Those that the cursor steps over, because their text is not to be edited. */
  atoms: DecorationSet;
}

/** Tables as tables, except the one with the cursor; tables and charts of sheets always. */
export const blocks = StateField.define<Blocks>({
  create: drawnOf,
  update: (now, change) => {
    const isOther = change.docChanged || change.selection !== undefined || change.reconfigured || syntaxTree(change.state) !== now.tree;
    return isOther ? drawnOf(change.state) : now;
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ drawn }) => drawn),
    EditorView.atomicRanges.of((view) => view.state.field(field).atoms),
  ],
});

function drawnOf(state: EditorState): Blocks {
  const tree = syntaxTree(state);
  const drawn: Range<Decoration>[] = [];
  const atoms: Range<Decoration>[] = [];
  const known = state.facet(facts);
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling) {
    const link = boundLink(state, node);
    if (link) {
      const table = node.nextSibling?.name === "Table" ? node.nextSibling : null;
      const end = (table ?? node).to;
      const widget = new BoundBlock(link, table ? state.sliceDoc(table.from, table.to) : "", known);
      const block = Decoration.replace({ widget, block: true }).range(node.from, end);
      drawn.push(block);
      atoms.push(block);
      if (table) node = table;
    } else if (node.name === "Table" && !isTouched(state, node.from, node.to)) {
      const source = state.sliceDoc(node.from, node.to);
      const table = pipeTable(source);
      if (table) drawn.push(Decoration.replace({ widget: new Drawn(source, table, known), block: true }).range(state.doc.lineAt(node.from).from, node.to));
    }
  }
  return { tree, drawn: Decoration.set(drawn), atoms: Decoration.set(atoms) };
}

/** A paragraph that is nothing but a link to a sheet. */
function boundLink(state: EditorState, node: SyntaxNode) {
  const link = node.name === "Paragraph" ? node.firstChild : null;
  if (!link || link.name !== "Link" || link.from !== node.from || link.to !== node.to) return null;
  const parts = linkParts(link, (from, to) => state.sliceDoc(from, to));
  return parts && boundTo(parts.href) ? parts : null;
}

class Drawn extends WidgetType {
  constructor(
    private readonly source: string,
    private readonly table: PipeTable,
    private readonly known: Facts,
  ) {
    super();
  }

  override eq(other: Drawn): boolean {
    return other.source === this.source && other.known === this.known;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement("div");
    box.className = "md-table";
    const table = box.appendChild(document.createElement("table"));
    const row = (cells: readonly Cell[], tag: "th" | "td", into: HTMLElement): void => {
      const line = into.appendChild(document.createElement("tr"));
      this.table.head.forEach((_, column) => {
        const element = line.appendChild(document.createElement(tag));
        const cell = cells[column];
        if (this.table.right[column]) element.className = "md-right";
        if (!cell) return;
        element.dataset.at = String(cell.at);
        drawLine(cell.text, element, this.known);
      });
    };
    row(this.table.head, "th", table.appendChild(document.createElement("thead")));
    const body = table.appendChild(document.createElement("tbody"));
    for (const cells of this.table.rows) row(cells, "td", body);
    box.addEventListener("mousedown", (event) => {
      const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-at]") : null;
      event.preventDefault();
      view.dispatch({ selection: { anchor: view.posAtDOM(box) + Number(cell?.dataset.at ?? 0) } });
      view.focus();
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Columns or a chart of a sheet. Its text is the page's to write, so the cursor steps over it. */
class BoundBlock extends WidgetType {
  private root: Root | null = null;
  private readonly now: BoundNow | null;

  constructor(
    private readonly link: LinkParts,
    private readonly source: string,
    private readonly known: Facts,
  ) {
    super();
    this.now = known.bound(link.href);
  }

  override eq(other: BoundBlock): boolean {
    const told = ({ link, source, now }: BoundBlock): string => JSON.stringify([link, source, now]);
    return told(this) === told(other);
  }

  override toDOM(view: EditorView): HTMLElement {
    const { link, source, now } = this;
    const box = document.createElement("div");
    box.className = "md-bound";
    box.contentEditable = "false";
    this.root = createRoot(box);
    const onRemove = (): void => {
      const from = view.posAtDOM(box);
      const at = view.state.field(blocks).atoms.iter(from);
      if (at.value) view.dispatch({ changes: { from: at.from, to: at.to }, selection: { anchor: at.from }, userEvent: "delete" });
      view.focus();
    };
    const table = createElement(BoundTable, { caption: link.text, href: link.href, source, known: now, onOpen: () => this.known.open(link.href), onRemove });
    this.root.render(createElement(TooltipProvider, null, table));
    return box;
  }

  override destroy(): void {
    // Not while React is drawing, which may be why the widget goes.
    const { root } = this;
    setTimeout(() => root?.unmount());
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

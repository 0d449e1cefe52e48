import { autocompletion } from "@codemirror/autocomplete";

import { t } from "@/lib/i18n";

import { facts } from "./facts";

import type { Insertable } from "./facts";
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";

const SLASH = /(?:^|\s)(\/[\p{L}]*)$/u;

/** `/` offers what can be inserted. */
export const inserting = autocompletion({ override: [offered], icons: false });

function offered(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const typed = SLASH.exec(line.text.slice(0, context.pos - line.from))?.[1];
  if (typed === undefined) return null;
  return { from: context.pos - typed.length, options: options(), validFor: /^\/\p{L}*$/u };
}

function options(): Completion[] {
  return [
    option("value", 3, t("projects.slashValue"), t("projects.aValue")),
    option("table", 2, t("projects.slashTable"), t("projects.aTableOfASheet")),
    option("chart", 1, t("projects.slashChart"), t("projects.aChartOfASheet")),
  ];
}

function option(what: Insertable, boost: number, label: string, displayLabel: string): Completion {
  return {
    label,
    displayLabel,
    boost,
    apply: (view, _, from, to) => {
      view.dispatch({ changes: { from, to }, selection: { anchor: from }, userEvent: "delete" });
      view.state.facet(facts).insert(what, (markdown) => put(view, markdown, what !== "value"));
    },
  };
}

/** Puts markdown where the cursor is; a block gets blank lines around it. */
function put(view: EditorView, markdown: string, isBlock: boolean): void {
  const { doc, selection } = view.state;
  const at = selection.main.head;
  const before = doc.sliceString(Math.max(0, at - 2), at);
  const after = doc.sliceString(at, at + 2);
  const lead = !isBlock || !at || before.endsWith("\n\n") || before === "\n" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const rest = !isBlock || after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  const insert = lead + markdown + rest;
  view.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length }, scrollIntoView: true, userEvent: "input" });
  view.focus();
}

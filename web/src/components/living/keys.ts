import { syntaxTree } from "@codemirror/language";
import { EditorView } from "@codemirror/view";

import type { KeyBinding } from "@codemirror/view";

const ITEM = /^(\s*(?:>\s*)*)([-*+]|\d{1,9}([.)]))(\s+)(\[[ xX]\]\s+)?(.*)$/;

/** Enter in a list begins the next item; in an empty item it ends the list. */
function nextItem(view: EditorView): boolean {
  const { state } = view;
  const { main, ranges } = state.selection;
  const line = state.doc.lineAt(main.head);
  const [, indent = "", mark = "", sign, blank = "", task, text = ""] = ITEM.exec(line.text) ?? [];
  const isInCode = ["FencedCode", "CodeBlock", "CodeText"].includes(syntaxTree(state).resolveInner(main.head, -1).name);
  const begin = line.from + line.text.length - text.length;
  if (!mark || ranges.length > 1 || !main.empty || isInCode || main.head < begin) return false;
  if (!text.trim()) {
    view.dispatch(state.update({ changes: { from: line.from, to: line.to }, userEvent: "input" }));
    return true;
  }
  const next = sign ? `${parseInt(mark, 10) + 1}${sign}` : mark;
  const insert = `${state.lineBreak}${indent}${next}${blank}${task ? "[ ] " : ""}`;
  view.dispatch(state.update({ changes: { from: main.head, insert }, selection: { anchor: main.head + insert.length }, scrollIntoView: true, userEvent: "input" }));
  return true;
}

function wrapped(mark: string): (view: EditorView) => boolean {
  return (view) => {
    const { state } = view;
    const { from, to } = state.selection.main;
    const [before, after] = [state.sliceDoc(from - mark.length, from), state.sliceDoc(to, to + mark.length)];
    const isOn = before === mark && after === mark;
    view.dispatch(
      state.update({
        changes: isOn
          ? [
              { from: from - mark.length, to: from },
              { from: to, to: to + mark.length },
            ]
          : [
              { from, insert: mark },
              { from: to, insert: mark },
            ],
        selection: isOn ? { anchor: from - mark.length, head: to - mark.length } : { anchor: from + mark.length, head: to + mark.length },
        userEvent: "input",
      }),
    );
    return true;
  };
}

export const writingKeys: KeyBinding[] = [
  { key: "Enter", run: nextItem },
  { key: "Mod-b", run: wrapped("**") },
  { key: "Mod-i", run: wrapped("*") },
];

function selectedIn(view: EditorView): Range | null {
  const selection = document.getSelection();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  return range && view.contentDOM.contains(range.commonAncestorContainer) ? range : null;
}

/** Typing over drawn text. The browser would write its look into the text as styles, which the policy refuses. */
export const typingOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    // Not every browser names the range; then it is what is selected.
    const range = event.getTargetRanges()[0] ?? selectedIn(view);
    if (event.inputType !== "insertText" || event.isComposing || event.data === null || !range || range.collapsed) return false;
    const from = view.posAtDOM(range.startContainer, range.startOffset);
    const to = view.posAtDOM(range.endContainer, range.endOffset);
    view.dispatch({ changes: { from, to, insert: event.data }, selection: { anchor: from + event.data.length }, scrollIntoView: true, userEvent: "input.type" });
    event.preventDefault();
    return true;
  },
});

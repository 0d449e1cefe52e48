import { EditorView, keymap, placeholder } from "@codemirror/view";
import CodeMirror, { Prec } from "@uiw/react-codemirror";
import { useMemo } from "react";

import { t } from "@/lib/i18n";
import { cspNonce } from "@/lib/nonce";
import { useIsDark } from "@/lib/theme";

import { blocks } from "./blocks";
import { facts } from "./facts";
import { inline } from "./inline";
import { inserting } from "./insert";
import { typingOver, writingKeys } from "./keys";
import { markdown } from "./language";

import "./living.css";

import type { Facts } from "./facts";

export interface LiveEditorProps {
  /** What is edited, for screen readers. */
  label: string;
  value: string;
  known: Facts;
  onChange: (value: string) => void;
}

/** Goes before the library's own colours. How the text looks is in living.css. */
const LOOK = Prec.highest(
  EditorView.theme({
    "&": { backgroundColor: "var(--surface)", color: "var(--ink)" },
    "&.cm-focused": { outline: "none" },
    ".cm-content": { fontFamily: "inherit", caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
  }),
);

/** Markdown that looks as it reads while it is written. Import LiveText instead: it loads this when it is needed. */
export default function LiveEditor({ label, value, known, onChange }: LiveEditorProps) {
  const isDark = useIsDark();
  const extensions = useMemo(
    () => [
      LOOK,
      EditorView.darkTheme.of(isDark),
      EditorView.cspNonce.of(cspNonce()),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
      Prec.high(keymap.of(writingKeys)),
      typingOver,
      facts.of(known),
      markdown,
      inserting,
      placeholder(t("projects.writeOrForAValue")),
      blocks,
      inline,
    ],
    [label, known, isDark],
  );
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      extensions={extensions}
      theme="none"
      minHeight="100%"
      autoFocus
      className="live-text h-full"
      // Tab goes on to the next control, as everywhere.
      indentWithTab={false}
      basicSetup={{ syntaxHighlighting: false, lineNumbers: false, foldGutter: false, highlightActiveLine: false, autocompletion: false, closeBrackets: false, bracketMatching: false }}
    />
  );
}

import { json, jsonParseLinter } from "@codemirror/lang-json";
import { linter, lintGutter } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import CodeMirror, { Prec } from "@uiw/react-codemirror";
import { useMemo } from "react";

import { cspNonce } from "@/lib/nonce";
import { useIsDark } from "@/lib/theme";

import type { Diagnostic } from "@codemirror/lint";

/** Something to say about a part of the text. */
export interface CodeMark {
  from: number;
  to: number;
  severity: "error" | "warning";
  message: string;
}

export interface CodeEditorProps {
  /** What is edited, for screen readers. */
  label: string;
  value: string;
  onChange?: (value: string) => void;
  readOnly?: boolean;
  /** Errors and warnings from elsewhere, shown beside those of the parser. */
  marks?: CodeMark[];
  minHeight?: string;
  autoFocus?: boolean;
  className?: string;
}

/** Goes before the library's own colours, whose numbers are too faint in the dark. */
const LOOK = Prec.highest(EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "13px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--font-mono)" },
}));

const LINT_MS = 200;

/** What the parser says, and what we were told, as far as the text still reaches there. */
function problemsOf(marks: CodeMark[] = []): (view: EditorView) => Diagnostic[] {
  const parse = jsonParseLinter();
  return (view) => {
    const broken = parse(view);
    const end = view.state.doc.length;
    return broken.length ? broken : marks.filter((mark) => mark.from < mark.to && mark.to <= end);
  };
}

/** CodeMirror in our colours. Import CodeEditor instead: it loads this when it is needed. */
export default function Editor({ label, value, onChange, readOnly, marks, minHeight, autoFocus, className }: CodeEditorProps) {
  const isDark = useIsDark();
  const extensions = useMemo(
    () => [
      LOOK,
      EditorView.cspNonce.of(cspNonce()),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      json(),
      linter(problemsOf(marks), { delay: LINT_MS }),
      lintGutter(),
    ],
    [label, marks],
  );
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      readOnly={readOnly}
      extensions={extensions}
      theme={isDark ? "dark" : "light"}
      minHeight={minHeight}
      autoFocus={autoFocus}
      className={className}
      // Tab goes on to the next control, as everywhere.
      indentWithTab={false}
      basicSetup={{ highlightActiveLine: false, autocompletion: false }}
    />
  );
}

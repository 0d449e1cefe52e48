import { Braces, FileText, NotebookText, ScrollText, Tag } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState } from "react";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { mentionAt, suggestions, tokensIn, withMention, withoutTokenBefore } from "./mentions";

import type { Mentionable } from "./mentions";
import type { LucideIcon } from "lucide-react";
import type { KeyboardEvent, ReactNode, Ref } from "react";

export interface Draft {
  text: string;
  chosen: Mentionable[];
}

interface MentionInputProps {
  ref?: Ref<HTMLTextAreaElement>;
  label: string;
  placeholder: string;
  draft: Draft;
  onChange: (draft: Draft) => void;
  onSend: () => void;
  /** Called with the letters after an @, or null. */
  onTyped: (typed: string | null) => void;
  mentionable: readonly Mentionable[];
}

const ICONS: Record<Mentionable["type"], LucideIcon> = { schema: Braces, prompt: ScrollText, tag: Tag, document: FileText, living_document: NotebookText };
/** Beside the name: what it is. An uploaded file is told apart from a document of the project. */
const KINDS: Record<Mentionable["type"], string> = {
  get schema() { return t("agent.schema"); },
  get prompt() { return t("agent.prompt"); },
  get tag() { return t("agent.tag"); },
  get document() { return t("agent.uploaded"); },
  get living_document() { return t("agent.document"); },
};
const SHAPE = "col-start-1 row-start-1 px-3 py-2 text-base wrap-anywhere whitespace-pre-wrap";

/** Text in which @ names schemas, prompts, tags and documents. Enter sends, Shift and Enter makes a line. */
export function MentionInput({ ref, label, placeholder, draft, onChange, onSend, onTyped, mentionable }: MentionInputProps) {
  const id = useId();
  const own = useRef<HTMLTextAreaElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const wantedCaret = useRef<number | null>(null);

  const { text, chosen } = draft;
  const at = mentionAt(text, caret);
  const isDone = at && tokensIn(text, chosen).some((token) => token.from === at.from);
  const open = at && !isDone && closedAt !== at.from ? at : null;
  const found = open ? suggestions(mentionable, open.typed) : [];
  const current = found[Math.min(active, found.length - 1)];

  useLayoutEffect(() => {
    if (wantedCaret.current === null || !own.current) return;
    own.current.setSelectionRange(wantedCaret.current, wantedCaret.current);
    setCaret(wantedCaret.current);
    wantedCaret.current = null;
  }, [text]);

  const tell = (value: string, position: number): void => {
    setCaret(position);
    const typing = mentionAt(value, position);
    if (typing?.from !== closedAt) setClosedAt(null);
    onTyped(typing?.typed ?? null);
  };
  const choose = (item: Mentionable): void => {
    if (!open) return;
    const next = withMention(text, open.from, caret, item.label);
    wantedCaret.current = next.caret;
    setActive(0);
    onTyped(null);
    onChange({ text: next.text, chosen: [...chosen.filter((one) => one.id !== item.id), item] });
    own.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const handled = found.length && current ? pressInList(event.key, current) : false;
    if (handled) return event.preventDefault();
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      onSend();
    } else if (event.key === "Backspace" && event.currentTarget.selectionStart === event.currentTarget.selectionEnd) {
      const next = withoutTokenBefore(text, event.currentTarget.selectionStart, chosen);
      if (!next) return;
      event.preventDefault();
      wantedCaret.current = next.caret;
      onChange({ text: next.text, chosen });
    }
  };
  const pressInList = (key: string, item: Mentionable): boolean => {
    const index = found.indexOf(item);
    if (key === "ArrowDown") setActive((index + 1) % found.length);
    else if (key === "ArrowUp") setActive((index - 1 + found.length) % found.length);
    else if (key === "Enter" || key === "Tab") choose(item);
    else if (key === "Escape") setClosedAt(open?.from ?? null);
    else return false;
    return true;
  };
  return (
    <div className="relative">
      {open && (
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label={t("agent.thingsToMention")}
          className="absolute bottom-full left-0 z-20 mb-1 w-full max-w-sm rounded-lg border bg-surface p-1 shadow-float"
        >
          {found.map((item) => (
            <Suggestion key={`${item.type} ${item.id}`} id={`${id}-${item.id}`} item={item} isActive={item === current} onChoose={() => choose(item)} />
          ))}
          {!found.length && (
            <li role="option" aria-selected={false} aria-disabled className="px-2 py-1 text-muted">
              {t("agent.nothingIsCalledThat")}
            </li>
          )}
        </ul>
      )}
      <div className="grid max-h-48 min-h-10 overflow-y-auto">
        <div ref={mirror} aria-hidden className={cx(SHAPE, "text-transparent")}>
          {marked(text, chosen)}
          {"\n"}
        </div>
        <textarea
          ref={(element) => {
            own.current = element;
            if (typeof ref === "function") ref(element);
            else if (ref) ref.current = element;
          }}
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={open ? `${id}-list` : undefined}
          aria-activedescendant={open && current ? `${id}-${current.id}` : undefined}
          placeholder={placeholder}
          rows={1}
          value={text}
          onChange={(event) => {
            onChange({ text: event.target.value, chosen });
            setActive(0);
            tell(event.target.value, event.target.selectionStart);
          }}
          onSelect={(event) => tell(text, event.currentTarget.selectionStart)}
          onKeyDown={press}
          className={cx(SHAPE, "resize-none overflow-hidden bg-transparent outline-none")}
        />
      </div>
    </div>
  );
}

function Suggestion({ id, item, isActive, onChoose }: { id: string; item: Mentionable; isActive: boolean; onChoose: () => void }) {
  const Icon = ICONS[item.type];
  return (
    // The keys of the list are those of the text field.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cx("flex min-h-7 cursor-pointer items-center gap-2 rounded-sm px-2 py-0.5 hover:bg-hover", isActive && "bg-hover")}
    >
      <Icon size={14} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{item.label}</span>{" "}
      <span className="text-xs text-muted">{KINDS[item.type]}</span>
    </li>
  );
}

/** The same text with a ground under the mentions; it lies behind the field. */
function marked(text: string, chosen: readonly Mentionable[]): ReactNode[] {
  const parts: ReactNode[] = [];
  let place = 0;
  for (const { from, to } of tokensIn(text, chosen)) {
    parts.push(text.slice(place, from));
    parts.push(
      <mark key={from} className="rounded-xs bg-accent-soft text-transparent">
        {text.slice(from, to)}
      </mark>,
    );
    place = to;
  }
  return [...parts, text.slice(place)];
}

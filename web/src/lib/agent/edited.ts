import { useCallback, useState } from "react";

import { recall, remember } from "@/lib/remembered";

/** What a user changed about a call and did not approve yet. */
interface Edited {
  callId: string;
  /** The arguments that it was made from: providers may give another call the same id. */
  base: string;
  /** The changed arguments as JSON text, readable or not. */
  text: string;
}

const KEY = "edited calls";
const MOST = 20;

interface Call {
  id: string;
  arguments: string;
}

function isOf(call: Call): (edited: Edited) => boolean {
  return ({ callId, base }) => callId === call.id && base === call.arguments;
}

/** The changes of a call that were left, kept until it is decided or they are given up. Still there after a reload. */
export function useEdited(call: Call): [string | null, (text: string | null) => void] {
  const [text, setText] = useState(() => recall<Edited[]>(KEY, []).find(isOf(call))?.text ?? null);
  const { id, arguments: base } = call;
  const keep = useCallback(
    (next: string | null) => {
      const others = recall<Edited[]>(KEY, []).filter((edited) => !isOf({ id, arguments: base })(edited));
      remember(KEY, next === null ? others : [...others, { callId: id, base, text: next }].slice(-MOST));
      setText(next);
    },
    [id, base],
  );
  return [text, keep];
}

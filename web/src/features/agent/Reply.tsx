import { useContext, useMemo } from "react";

import { Markdown } from "@/components/Markdown";
import type { OwnLinks } from "@/components/Markdown";
import { pointed, SaidContext } from "@/lib/agent/pointed";

/** What the agent says. Names and numbers of the document beside it are chips that light their words. */
export function Reply({ text, own }: { text: string; own: OwnLinks }) {
  const said = useContext(SaidContext);
  const shown = useMemo(() => (said ? pointed(text, said.values) : text), [text, said]);
  const links = useMemo<OwnLinks>(
    () => ({
      ...own,
      open: (address, href) => {
        if (!said?.light(href)) own.open(address, href);
      },
      cited: (href, title) => {
        const value = said?.values.find((one) => one.href === href);
        return value ? { from: value.label, note: null } : (own.cited?.(href, title) ?? null);
      },
    }),
    [own, said],
  );
  return (
    <div className="reply">
      <Markdown text={shown} own={links} />
    </div>
  );
}

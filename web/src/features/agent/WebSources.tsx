import type { Call } from "@/lib/agent/fold";
import { webSources } from "@/lib/agent/sources";
import { visible } from "@/lib/format";
import { t } from "@/lib/i18n";

/** The pages that a search on the web found, as links that say where they lead. */
export function WebSources({ call }: { call: Call }) {
  const sources = webSources(call);
  if (!sources.length) return null;
  return (
    <ul aria-label={t("agent.sources")} className="flex flex-col gap-0.5 text-sm">
      {sources.map(({ title, address, host, published }) => (
        <li key={address} className="flex min-w-0 gap-2">
          <a href={address} rel="noopener noreferrer nofollow" target="_blank" className="truncate text-accent underline underline-offset-2">
            <bdi>{visible(title)}</bdi>
          </a>
          <span className="shrink-0 text-muted">
            {host}
            {published && `, ${published}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

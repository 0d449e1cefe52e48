import { Link } from "@tanstack/react-router";

import type { Call } from "@/lib/agent/fold";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import { changedDocument } from "./changed";

import type { AgentPlace } from "./changed";

/** The way to a document of the project that was changed while another one is open. */
export function ChangedLink({ call, place }: { call: Call; place: AgentPlace }) {
  const orgPath = useOrgPath();
  const changed = place.kind === "project" ? changedDocument(call) : null;
  if (!changed || changed.id === place.openDocument) return null;
  return (
    <Link
      to={orgPath(`projects/${place.id}`)}
      search={(old: object) => ({ ...old, document: changed.id, tab: "text", view: undefined })}
      className="text-sm text-accent underline underline-offset-2"
    >
      {t("common.openName", { name: changed.name })}
    </Link>
  );
}

import { useOrgPath } from "@/lib/organization";
import { useRights } from "@/lib/rights";

import { ButtonLink } from "./ButtonLink";

/** What may help when a model did not do its work: another model, or a look at who serves it. */
export function ModelSteps({ promptId }: { promptId?: string }) {
  const orgPath = useOrgPath();
  const { isAdmin } = useRights();
  const hasOwnModel = promptId !== undefined && promptId !== "default";
  return (
    <>
      {(hasOwnModel || isAdmin) && (
        <ButtonLink small to={orgPath(hasOwnModel ? `prompts/${promptId}` : "settings/models")}>
          Choose another model
        </ButtonLink>
      )}
      {isAdmin && (
        <ButtonLink small to={orgPath("settings/providers")}>
          Open the provider
        </ButtonLink>
      )}
    </>
  );
}

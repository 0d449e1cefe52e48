import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { api, ask } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { remember } from "@/lib/remembered";

import { Card } from "./Card";

/** Ends the user's own membership, after asking once. */
export function LeaveOrganisation() {
  const { id, name } = useOrganization();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () => ask(api.DELETE("/v0/account/organizations/{organization_id}/membership", { params: { path: { organization_id: id } } })),
    onSuccess: async () => {
      remember("organization", null);
      await navigate({ to: "/" });
      await queryClient.invalidateQueries({ queryKey: keys.organizations() });
    },
  });
  return (
    <Card title={t("settings.leave")} about={t("settings.youNoLongerSee")}>
      {leave.error && <ErrorNote what={t("settings.youAreStillAMember")} error={leave.error} />}
      <div className="flex flex-wrap items-center gap-2">
        {isAsking ? (
          <>
            <span>{t("settings.leaveNameQuestion", { name })}</span>
            <Button variant="danger" autoFocus busy={leave.isPending && t("settings.leaving")} onClick={() => leave.mutate()}>
              {t("settings.leaveOrganisation")}
            </Button>
            <Button variant="quiet" onClick={() => setIsAsking(false)}>
              {t("settings.stay")}
            </Button>
          </>
        ) : (
          <Button variant="danger" onClick={() => setIsAsking(true)}>
            {t("settings.leaveThisOrganisation")}
          </Button>
        )}
      </div>
    </Card>
  );
}

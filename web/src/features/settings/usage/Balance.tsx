import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { api, ask } from "@/lib/api/client";
import { locale, t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useRights } from "@/lib/rights";
import { toast } from "@/lib/toasts";
import { inOrder, useWished } from "@/lib/wished";

import { Card } from "../Card";

/** What is left, and what happens when nothing is. */
export function Balance() {
  const { id } = useOrganization();
  const { isSystemAdmin } = useRights();
  const { data, error } = useQuery({
    queryKey: [id, "usage", "balance"],
    queryFn: async () =>
      (await ask(api.GET("/v0/orgs/{organization_id}/payments/usage", { params: { path: { organization_id: id } } }))).data,
  });
  if (error) return <ErrorNote what={t("usage.theBalanceCannotBeShown")} error={error} />;
  if (!data) return <Loading what={t("usage.theBalance")} />;
  const left = data.granted_credits_remaining + data.purchased_credits_remaining;
  const used = data.granted_credits_used + data.purchased_credits_used;
  return (
    <Card
      title={t("common.credits")}
      about={data.limits_enforced ? t("usage.whenTheyAreUsedUpModel") : t("usage.trackedOnlyCallsContinueWhenCredits")}
    >
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <Figure label={t("usage.left")} value={left} />
        <Figure label={t("usage.used")} value={used} />
        {data.held_credits > 0 && <Figure label={t("usage.setAsideForCallsUnderWay")} value={data.held_credits} />}
        {data.total_metered_usage > 0 && <Figure label={t("usage.usedBeyondAllThatWereGiven")} value={data.total_metered_usage} />}
      </dl>
      {isSystemAdmin && <Grant isEnforced={data.limits_enforced} />}
    </Card>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div className="flex flex-col">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-xl font-semibold">{value.toLocaleString(locale())}</dd>
    </div>
  );
}

/** What the administrator of the server can do here. */
function Grant({ isEnforced }: { isEnforced: boolean }) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const [amount, setAmount] = useState("");
  const params = { path: { organization_id: id } };
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [id, "usage"] });
  const add = useMutation({
    mutationFn: (credits: number) => ask(api.POST("/v0/orgs/{organization_id}/payments/credits/add", { params, body: { amount: credits } })),
    onSuccess: async ({ added }) => {
      setAmount("");
      toast(t("usage.addedAddedCredits", { added }));
      await refresh();
    },
  });
  const limits = useMutation({
    ...inOrder(`limits of ${id}`),
    mutationFn: (enforced: boolean) => ask(api.PUT("/v0/orgs/{organization_id}/payments/limits", { params, body: { enforced } })),
    onSuccess: refresh,
  });
  const [isRefusing, wish] = useWished(isEnforced, limits.mutate);
  return (
    <div className="flex flex-col gap-3 border-t pt-3">
      <Checkbox
        label={t("usage.refuseModelCallsWhenTheCredits")}
        checked={isRefusing}
        onChange={(event) => wish(event.target.checked)}
      />
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(Number(amount));
        }}
      >
        <Field label={t("usage.giveCredits")} className="w-40">
          {(control) => <Input {...control} required type="number" min={1} step={1} value={amount} onChange={(event) => setAmount(event.target.value)} />}
        </Field>
        <Button type="submit" busy={add.isPending && t("common.adding")}>
          {t("usage.addCredits")}
        </Button>
      </form>
      {(add.error ?? limits.error) && <ErrorNote what={t("common.nothingWasChanged")} error={add.error ?? limits.error} />}
    </div>
  );
}

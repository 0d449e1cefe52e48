import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { api, ask } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { t } from "@/lib/i18n";
import { useTitle } from "@/lib/title";

const USUAL = { type: "team", auto_create_default: false, default_prompt_enabled: true, experimental_features: false, flow_log_level: "ERROR", remote_pictures: true } as const;

/** Outside of all organisations, because whoever has left the last one has none. */
export default function NewOrganisationPage() {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  useTitle(t("settings.newOrganisation"));
  const create = useMutation({
    mutationFn: () => ask(api.POST("/v0/account/organizations", { body: { ...USUAL, name: name.trim() } })),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: keys.organizations() });
      await navigate({ to: `/orgs/${id}` });
    },
  });
  return (
    <main className="mx-auto flex max-w-md flex-col gap-4 p-6">
      <h1 className="text-xl">{t("settings.newOrganisation")}</h1>
      <p className="text-muted">{t("settings.anOrganisationHasItsOwn")}</p>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={t("common.name")}>{(control) => <Input {...control} required autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
        {create.error && <ErrorNote what={t("settings.theOrganisationWasNotCreated")} error={create.error} />}
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={create.isPending && t("common.adding")}>
            {t("settings.createOrganisation")}
          </Button>
          <ButtonLink variant="quiet" to="/">
            {t("common.cancel")}
          </ButtonLink>
        </div>
      </form>
    </main>
  );
}

import { useMutation } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { changeUser, signOut, useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { Card } from "./Card";
import { ChangePassword } from "./ChangePassword";

export function AccountSection() {
  return (
    <>
      <Name />
      <ChangePassword />
      <Session />
    </>
  );
}

function useChangeMe() {
  const user = useUser();
  return useMutation({
    mutationFn: (body: Schemas["UserChangesIn"]) =>
      ask(api.PUT("/v0/account/users/{user_id}", { params: { path: { user_id: user.id } }, body })),
    onSuccess: changeUser,
  });
}

function Name() {
  const user = useUser();
  const [name, setName] = useState(user.name);
  const change = useChangeMe();
  const isSame = name.trim() === user.name || name.trim() === "";
  return (
    <Card title={t("common.you")} about={user.email}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame) change.mutate({ name: name.trim() }, { onSuccess: () => toast(t("settings.savedYourName")) });
        }}
      >
        <Field label={t("common.name")} className="sm:max-w-80">
          {(control) => <Input {...control} autoComplete="name" maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        {change.error && <ErrorNote what={t("settings.yourNameWasNotChanged")} error={change.error} />}
        <div>
          <Button type="submit" variant="primary" busy={change.isPending && t("common.saving")} disabledBecause={isSame && t("common.nothingHasChanged")}>
            {t("settings.saveName")}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Session() {
  const [error, setError] = useState<unknown>(null);
  return (
    <Card title={t("settings.thisSession")} about={t("settings.staysSignedInWhileYouUse")}>
      {error !== null && <ErrorNote what={t("common.youAreStillSignedIn")} error={error} onDismiss={() => setError(null)} />}
      <div>
        <Button icon={LogOut} onClick={() => void signOut().catch(setError)}>
          {t("common.signOut")}
        </Button>
      </div>
    </Card>
  );
}

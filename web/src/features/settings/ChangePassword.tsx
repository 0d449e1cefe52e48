import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { api, ask } from "@/lib/api/client";
import { signIn, useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { passwordHint, SHORTEST_PASSWORD } from "@/lib/passwords";
import { stoppedText } from "@/lib/stopped";
import { toast } from "@/lib/toasts";

import { Card } from "./Card";

const EMPTY = { current: "", password: "", again: "", revokes: false };

/** All sessions end with the old password; this one starts over with the new one, without asking for it again. */
export function ChangePassword() {
  const user = useUser();
  const [form, setForm] = useState(EMPTY);
  const { current, password, again, revokes } = form;
  const change = useMutation({
    mutationFn: () =>
      ask(
        api.PUT("/v0/account/users/{user_id}", {
          params: { path: { user_id: user.id } },
          body: { password, current_password: user.has_password ? current : null, revoke_tokens: revokes },
        }),
      ),
    onSuccess: async ({ stopped }) => {
      // If this fails, the next request asks for the new password.
      await signIn(user.email, password).catch(() => undefined);
      setForm(EMPTY);
      toast(revokes ? t("settings.yourPasswordIsChangedYouAre", { stoppedText: stoppedText(stopped) }) : t("settings.yourPasswordIsChangedYouAreSigned", { stoppedText: stoppedText(stopped) }));
    },
  });
  const differ = password !== again;
  const problem =
    user.has_password && current === ""
      ? t("settings.writeYourCurrentPassword")
      : password.length < SHORTEST_PASSWORD
        ? t("settings.useAtLeastShortestPasswordCharacters", { shortestPassword: SHORTEST_PASSWORD })
        : differ
          ? t("settings.theTwoPasswordsDiffer")
          : null;
  return (
    <Card title={t("common.password")} about={t("settings.aNewPasswordSignsYouOut")}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem) change.mutate();
        }}
      >
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        {user.has_password && (
          <Field label={t("settings.currentPassword")} className="sm:max-w-80">
            {(control) => (
              <Input {...control} type="password" autoComplete="current-password" value={current} onChange={(event) => setForm({ ...form, current: event.target.value })} />
            )}
          </Field>
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={t("settings.newPassword")} hint={passwordHint()}>
            {(control) => (
              <Input {...control} type="password" autoComplete="new-password" value={password} onChange={(event) => setForm({ ...form, password: event.target.value })} />
            )}
          </Field>
          <Field label={t("settings.theSameOnceMore")} error={again && differ ? t("settings.theTwoPasswordsDiffer") : null}>
            {(control) => (
              <Input {...control} type="password" autoComplete="new-password" value={again} onChange={(event) => setForm({ ...form, again: event.target.value })} />
            )}
          </Field>
        </div>
        <Checkbox label={t("settings.alsoRevokeAllMyApiTokens")} checked={revokes} onChange={(event) => setForm({ ...form, revokes: event.target.checked })} />
        {change.error && <ErrorNote what={t("settings.yourPasswordWasNotChanged")} error={change.error} />}
        <div>
          <Button type="submit" variant="primary" busy={change.isPending && t("common.saving")} disabledBecause={problem}>
            {t("settings.changePassword")}
          </Button>
        </div>
      </form>
    </Card>
  );
}

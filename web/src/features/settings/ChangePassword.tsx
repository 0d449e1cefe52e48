import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { api, ask } from "@/lib/api/client";
import { signIn, useUser } from "@/lib/api/session";
import { PASSWORD_HINT, SHORTEST_PASSWORD } from "@/lib/passwords";
import { stoppedText } from "@/lib/stopped";
import { toast } from "@/lib/toasts";

import { Card } from "./Card";

const EMPTY = { current: "", password: "", again: "", revokes: false };

/** All sessions end with the old password; this one begins anew with the new one, without asking for it again. */
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
      toast(`Your password is changed. You are signed out everywhere else${revokes ? ", and your API tokens are revoked" : ""}.${stoppedText(stopped)}`);
    },
  });
  const differ = password !== again;
  const problem =
    user.has_password && current === ""
      ? "Write your current password."
      : password.length < SHORTEST_PASSWORD
        ? `Use at least ${SHORTEST_PASSWORD} characters.`
        : differ
          ? "The two passwords differ."
          : null;
  return (
    <Card title="Password" about="A new password signs you out everywhere but here.">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem) change.mutate();
        }}
      >
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        {user.has_password && (
          <Field label="Current password" className="sm:max-w-80">
            {(control) => (
              <Input {...control} type="password" autoComplete="current-password" value={current} onChange={(event) => setForm({ ...form, current: event.target.value })} />
            )}
          </Field>
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="New password" hint={PASSWORD_HINT}>
            {(control) => (
              <Input {...control} type="password" autoComplete="new-password" value={password} onChange={(event) => setForm({ ...form, password: event.target.value })} />
            )}
          </Field>
          <Field label="The same once more" error={again && differ ? "The two passwords differ." : null}>
            {(control) => (
              <Input {...control} type="password" autoComplete="new-password" value={again} onChange={(event) => setForm({ ...form, again: event.target.value })} />
            )}
          </Field>
        </div>
        <Checkbox label="Also revoke all my API tokens" checked={revokes} onChange={(event) => setForm({ ...form, revokes: event.target.checked })} />
        {change.error && <ErrorNote what="Your password was not changed." error={change.error} />}
        <div>
          <Button type="submit" variant="primary" busy={change.isPending && "Saving"} disabledBecause={problem}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}

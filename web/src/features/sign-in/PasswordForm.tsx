import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { signIn } from "@/lib/api/session";
import { t } from "@/lib/i18n";

import type { FormEvent } from "react";

/** `email` is who has to sign in, if that is known. */
export function PasswordForm({ email: known = "" }: { email?: string }) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await signIn(email, password);
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      <Field label={t("common.eMail")}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            required
            autoFocus={!known}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field label={t("common.password")}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="current-password"
            required
            autoFocus={Boolean(known)}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {error !== null && <ErrorNote error={error} />}
      <Button type="submit" variant="primary" busy={busy && t("signIn.signingIn")} className="mt-1">
        {t("signIn.signIn")}
      </Button>
    </form>
  );
}

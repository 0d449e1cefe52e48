import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { acceptAsNewcomer } from "@/lib/api/invitations";
import { signIn } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { passwordHint, SHORTEST_PASSWORD } from "@/lib/passwords";

/** Accepts an invitation by making the account of its address, signs in, and goes on at `then`. */
export function NewAccountForm({ token, email, then }: { token: string; email: string; then: string }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const make = useMutation({
    mutationFn: async () => {
      await acceptAsNewcomer(token, { name: name.trim(), password });
      // The link is used up now, so the address must not show it again, whatever becomes of the sign-in.
      history.replaceState(null, "", then);
      await signIn(email, password);
    },
  });
  const problem =
    name.trim() === "" ? t("signIn.writeYourName") : password.length < SHORTEST_PASSWORD ? t("signIn.useAtLeastShortestPasswordCharacters", { shortestPassword: SHORTEST_PASSWORD }) : null;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!problem && !make.isPending) make.mutate();
      }}
    >
      <Field label={t("common.eMail")}>{(control) => <Input {...control} type="email" autoComplete="username" readOnly value={email} className="!bg-sunken" />}</Field>
      <Field label={t("signIn.yourName")}>
        {(control) => <Input {...control} autoComplete="name" required autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label={t("common.password")} hint={passwordHint()}>
        {(control) => <Input {...control} type="password" autoComplete="new-password" required value={password} onChange={(event) => setPassword(event.target.value)} />}
      </Field>
      {make.error && <ErrorNote error={make.error} />}
      <Button type="submit" variant="primary" busy={make.isPending && t("signIn.creatingYourAccount")} disabledBecause={problem}>
        {t("signIn.createAccountAndAccept")}
      </Button>
    </form>
  );
}

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { acceptAsNewcomer } from "@/lib/api/invitations";
import { signIn } from "@/lib/api/session";
import { PASSWORD_HINT, SHORTEST_PASSWORD } from "@/lib/passwords";

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
    name.trim() === "" ? "Write your name." : password.length < SHORTEST_PASSWORD ? `Use at least ${SHORTEST_PASSWORD} characters.` : null;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!problem && !make.isPending) make.mutate();
      }}
    >
      <Field label="E-mail">{(control) => <Input {...control} type="email" autoComplete="username" readOnly value={email} className="!bg-sunken" />}</Field>
      <Field label="Your name">
        {(control) => <Input {...control} autoComplete="name" required autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Password" hint={PASSWORD_HINT}>
        {(control) => <Input {...control} type="password" autoComplete="new-password" required value={password} onChange={(event) => setPassword(event.target.value)} />}
      </Field>
      {make.error && <ErrorNote error={make.error} />}
      <Button type="submit" variant="primary" busy={make.isPending && "Making your account"} disabledBecause={problem}>
        Make account and accept
      </Button>
    </form>
  );
}

import { useState } from "react";

import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { signIn } from "@/lib/api/session";
import type { User } from "@/lib/api/session";
import { useTitle } from "@/lib/title";

import type { FormEvent } from "react";

/** The way in. The address stays as it is, and is shown after the sign-in. */
export function SignInPage() {
  useTitle("Sign in");
  const linkFailed = new URLSearchParams(location.search).has("link");
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center p-4">
      <div className="w-full max-w-80">
        <div className="mb-6 flex items-center gap-2">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <span className="text-lg font-semibold">docagent</span>
        </div>
        <h1 className="mb-4 text-xl">Sign in</h1>
        {linkFailed && (
          <ErrorNote
            className="mb-4"
            error="This login link was already used or is too old. Make a new one with `docagent login-link`, or use your password."
          />
        )}
        <PasswordForm />
        <p className="mt-6 text-sm text-muted">
          No password yet? Open the login link that the server printed at its start, or make one on the server with{" "}
          <code className="font-mono whitespace-nowrap">docagent login-link</code>.
        </p>
      </div>
    </main>
  );
}

/** Over a page whose session has ended: everything on it stays as it was. */
export function SignInAgain({ user }: { user: User }) {
  return (
    <Dialog
      open
      mustAnswer
      onClose={() => undefined}
      title="Sign in again"
      description="Your session has ended. Nothing that you typed is lost."
    >
      <PasswordForm email={user.email} />
    </Dialog>
  );
}

function PasswordForm({ email: known = "" }: { email?: string }) {
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
      <Field label="E-mail">
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
      <Field label="Password">
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
      <Button type="submit" variant="primary" busy={busy && "Signing in"} className="mt-1">
        Sign in
      </Button>
    </form>
  );
}

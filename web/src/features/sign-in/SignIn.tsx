import { Dialog } from "@/components/Dialog";
import { ErrorNote } from "@/components/Notes";
import type { User } from "@/lib/api/session";
import { useTitle } from "@/lib/title";

import { Door } from "./Door";
import { PasswordForm } from "./PasswordForm";

/** The way in. The address stays as it is, and is shown after the sign-in. */
export function SignInPage() {
  useTitle("Sign in");
  const linkFailed = new URLSearchParams(location.search).has("link");
  return (
    <Door title="Sign in">
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
    </Door>
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

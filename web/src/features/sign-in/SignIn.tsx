import { Dialog } from "@/components/Dialog";
import { ErrorNote } from "@/components/Notes";
import type { User } from "@/lib/api/session";
import { rich, t } from "@/lib/i18n";
import { useTitle } from "@/lib/title";

import { Door } from "./Door";
import { PasswordForm } from "./PasswordForm";

/** The way in. The address stays as it is, and is shown after the sign-in. */
export function SignInPage() {
  useTitle(t("signIn.signIn"));
  const linkFailed = new URLSearchParams(location.search).has("link");
  return (
    <Door title={t("signIn.signIn")}>
      {linkFailed && (
        <ErrorNote
          className="mb-4"
          error={t("signIn.thisLoginLinkWasAlreadyUsed")}
        />
      )}
      <PasswordForm />
      <p className="mt-6 text-sm text-muted">
        {rich("signIn.noPasswordYetOpenTheLogin", { code: <code className="font-mono whitespace-nowrap">docagent login-link</code> })}
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
      title={t("signIn.signInAgain")}
      description={t("signIn.yourSessionHasEndedNothingThat")}
    >
      <PasswordForm email={user.email} />
    </Dialog>
  );
}

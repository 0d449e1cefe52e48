import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";

import { ErrorBoundary } from "@/components/ErrorBoundary";
import { Loading } from "@/components/Notes";
import { Toaster } from "@/components/Toaster";
import { TooltipProvider } from "@/components/Tooltip";
import { INVITATION_PATH, InvitationPage } from "@/features/sign-in/InvitationPage";
import { SignInAgain, SignInPage } from "@/features/sign-in/SignIn";
import { makeQueryClient } from "@/lib/api/queries";
import { useSession } from "@/lib/api/session";
import { t, useLanguage } from "@/lib/i18n";

import { makeRouter } from "./router";

const queryClient = makeQueryClient();
const router = makeRouter();

/**
 * The whole client. Without a session it shows the sign-in, wherever the address points, and then that address; only an
 * invitation is shown before.
 */
export function App() {
  const session = useSession();
  const language = useLanguage();
  return (
    <ErrorBoundary what="docagent">
      <QueryClientProvider key={language} client={queryClient}>
        <TooltipProvider>
          {session.status === "starting" && <Loading what={t("shell.yourSession")} />}
          {session.status === "signed-out" && (location.pathname === INVITATION_PATH ? <InvitationPage /> : <SignInPage />)}
          {(session.status === "signed-in" || session.status === "ended") && (
            <>
              <RouterProvider router={router} />
              {session.status === "ended" && <SignInAgain user={session.user} />}
            </>
          )}
          <Toaster />
        </TooltipProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

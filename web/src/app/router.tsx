import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from "@tanstack/react-router";

import { LoadingPart } from "@/components/LoadingPart";
import { ErrorNote } from "@/components/Notes";
import { INVITATION_PATH, InvitationPage } from "@/features/sign-in/InvitationPage";
import { loadPageMessages, t } from "@/lib/i18n";
import type { Page } from "@/lib/pages";
import { part } from "@/lib/parts";

import { HOME, NEW_ORGANIZATION, PAGES } from "./pages";
import { FirstOrganization } from "./shell/FirstOrganization";
import { BareNotFound, NotFound } from "./shell/NotFound";
import { OrganizationLayout } from "./shell/OrganizationLayout";

import type { AnyRouter } from "@tanstack/react-router";

const root = createRootRoute({ notFoundComponent: BareNotFound });
const start = createRoute({ getParentRoute: () => root, path: "/", component: FirstOrganization });
const login = createRoute({ getParentRoute: () => root, path: "/login", component: FirstOrganization });
const invitation = createRoute({ getParentRoute: () => root, path: INVITATION_PATH, component: InvitationPage });
const newOrganization = createRoute({
  getParentRoute: () => root,
  path: NEW_ORGANIZATION,
  component: lazyRouteComponent(part(() => withWords(() => import("@/features/settings/NewOrganisationPage")))),
});
const organization = createRoute({ getParentRoute: () => root, path: "/orgs/$org", component: OrganizationLayout });
const home = createRoute({ getParentRoute: () => organization, path: "/", component: GoHome });
const elsewhere = createRoute({ getParentRoute: () => organization, path: "$", component: NotFound });

export function makeRouter(): AnyRouter {
  const routeTree = root.addChildren([
    start,
    login,
    invitation,
    newOrganization,
    organization.addChildren([home, elsewhere, ...PAGES.map(routeOf)]),
  ]);
  return createRouter({
    routeTree,
    defaultPreload: "intent",
    defaultPendingComponent: () => <LoadingPart heading what={t("shell.thisPage")} />,
    defaultErrorComponent: ({ error, reset }) => (
      <div className="mx-auto max-w-xl p-4">
        <ErrorNote error={error} what={t("shell.thisPageCannotBeShown")} onRetry={reset} />
      </div>
    ),
    defaultNotFoundComponent: BareNotFound,
    scrollRestoration: true,
  });
}

function routeOf(page: Page) {
  return createRoute({
    getParentRoute: () => organization,
    path: page.path,
    component: lazyRouteComponent(part(() => withWords(page.load))),
    staticData: { page },
  });
}

/** The code of a page and its words come together. */
async function withWords(load: Page["load"]): ReturnType<Page["load"]> {
  const [loaded] = await Promise.all([load(), loadPageMessages()]);
  return loaded;
}

function GoHome() {
  return <Navigate to={HOME.path} replace />;
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    page?: Page;
  }
}

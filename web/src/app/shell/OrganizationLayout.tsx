import { Outlet, useMatches, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

import { ErrorBoundary } from "@/components/ErrorBoundary";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { SettingsNavigation } from "@/features/settings/Navigation";
import { useChanges } from "@/lib/api/changes";
import { useOrganizations } from "@/lib/api/organizations";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { OrganizationProvider } from "@/lib/organization";
import { remember } from "@/lib/remembered";
import { useTitle } from "@/lib/title";

import { BarePage } from "./BarePage";
import { CommandPalette } from "./CommandPalette";
import { HelpSheet } from "./HelpSheet";
import { TopBar } from "./TopBar";

/** Top bar and page of one organisation. */
export function OrganizationLayout() {
  const { org }: { org?: string } = useParams({ strict: false });
  const { data, error, refetch } = useOrganizations();
  const organization = data?.find((item) => item.id === org);
  useEffect(() => {
    if (organization) remember("organization", organization.id);
  }, [organization]);
  if (error) {
    return (
      <BarePage>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </BarePage>
    );
  }
  if (!data) return <Loading what={t("shell.yourOrganisation")} />;
  if (!organization) {
    return (
      <BarePage>
        <EmptyState heading title={t("shell.thisOrganisationDoesNotExistOr")}>
          <a href="/" className="text-accent underline">
            {t("shell.goToYourOwn")}
          </a>
        </EmptyState>
      </BarePage>
    );
  }
  return (
    <OrganizationProvider value={organization}>
      <Frame key={organization.id} />
    </OrganizationProvider>
  );
}

function Frame() {
  useChanges();
  const match = useMatches().at(-1);
  const page = match?.staticData.page;
  useTitle(page?.title);
  const main = useRef<HTMLElement>(null);
  const path = match?.pathname;
  const first = useRef(true);
  useEffect(() => {
    // A new page is announced by moving the focus to it, as a full page load would.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [path]);
  const isWorkspace = page?.layout === "workspace";
  const hasSettings = !isWorkspace && (page?.within ?? page?.path.split("/")[0]) === "settings";
  return (
    // A workspace fills the window and scrolls inside. What is hidden for screen readers only must not make it longer.
    <div className={cx("flex flex-col", isWorkspace ? "relative h-[calc(100dvh-var(--toast-space,0px))] overflow-clip low:has-data-flows:h-auto low:has-data-flows:overflow-visible" : "min-h-dvh pb-(--toast-space)")}>
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-3 focus:py-2 focus:text-on-accent"
      >
        {t("shell.skipToThePage")}
      </a>
      <TopBar />
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className={isWorkspace ? "flex min-h-0 flex-1 flex-col" : "mx-auto w-full max-w-7xl flex-1 p-4 sm:px-6"}
      >
        <ErrorBoundary key={path} what={t("shell.thisPage2")}>
          {hasSettings ? (
            <div className="flex flex-col gap-4 md:flex-row md:gap-8">
              <SettingsNavigation />
              <div className="min-w-0 flex-1">
                <Outlet />
              </div>
            </div>
          ) : (
            <Outlet />
          )}
        </ErrorBoundary>
      </main>
      <CommandPalette />
      <HelpSheet />
    </div>
  );
}

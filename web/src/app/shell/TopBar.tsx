import { Link, useMatches, useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, CircleHelp, Inbox, Menu as MenuIcon, Plus, Search } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { Logo } from "@/components/Logo";
import { Menu, MenuItem, MenuLabel } from "@/components/Menu";
import { useWaitingCount } from "@/lib/api/inbox";
import { useOrganizations } from "@/lib/api/organizations";
import { useUser } from "@/lib/api/session";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { nameFor, useOrganization, useOrgPath } from "@/lib/organization";

import { BAR, NEW_ORGANIZATION } from "../pages";

import { AccountMenu } from "./AccountMenu";
import { openHelp, openPalette } from "./panels";
import { useGo } from "./useGo";

export function TopBar() {
  return (
    <header className="sticky low:static top-0 z-30 flex h-12 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:px-4">
      <FoldedNavigation />
      <Link to={useOrgPath()("")} aria-label={t("shell.docagentStart")} className="rounded-md p-1 max-md:hidden">
        <Logo size={22} />
      </Link>
      <OrganizationSwitcher />
      <Navigation />
      <div className="ml-auto flex items-center gap-1">
        <button
          type="button"
          onClick={openPalette}
          className="hidden h-8 items-center gap-2 rounded-md border bg-canvas px-2 text-sm text-muted hover:bg-hover xl:flex"
        >
          <Search size={14} aria-hidden />{" "}{t("shell.findACommand")}{" "}<Kbd keys="Mod+K" />
        </button>
        <IconButton icon={Search} label={t("shell.findACommand")} onClick={openPalette} className="xl:hidden" />
        <InboxSign />
        <IconButton icon={CircleHelp} label={t("shell.keysAndHelp")} onClick={openHelp} className="max-sm:hidden" />
        <AccountMenu />
      </div>
    </header>
  );
}

/** The word of the bar that the page which is shown belongs to. */
function useCurrent(): string | undefined {
  const page = useMatches().at(-1)?.staticData.page;
  return page?.within ?? page?.path.split("/")[0];
}

function Navigation() {
  const orgPath = useOrgPath();
  const current = useCurrent();
  return (
    <nav aria-label={t("shell.pages")} className="ml-2 hidden items-center gap-0.5 md:flex">
      {BAR.map((page) => (
        <Link
          key={page.path}
          to={orgPath(page.path)}
          aria-current={page.path === current ? "page" : undefined}
          className={cx("rounded-md px-2 py-1 whitespace-nowrap hover:bg-hover hover:text-ink lg:px-2.5", page.path === current ? "bg-hover font-medium text-ink" : "text-muted")}
        >
          {page.title}
        </Link>
      ))}
    </nav>
  );
}

/** The same pages behind one button, where there is no room for a row. */
function FoldedNavigation() {
  const go = useGo();
  return (
    <nav aria-label={t("shell.pagesFolded")} className="md:hidden">
      <Menu trigger={<IconButton icon={MenuIcon} label={t("shell.pages")} />}>
        {BAR.map((page) => (
          <MenuItem key={page.path} icon={page.nav?.icon} onSelect={() => go(page.path)}>
            {page.title}
          </MenuItem>
        ))}
      </Menu>
    </nav>
  );
}

/** The way to all that waits for the user, with how much it is. */
function InboxSign() {
  const count = useWaitingCount();
  return (
    <Link
      to={useOrgPath()("inbox")}
      aria-label={count ? t("shell.inboxCountWaiting", { count }) : t("common.inbox")}
      title={count ? t("shell.inboxCountWaiting", { count }) : t("common.inbox")}
      className="relative flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
    >
      <Inbox size={16} aria-hidden />
      {count > 0 && (
        <span aria-hidden className="absolute -top-0.5 -right-1 rounded-full bg-warm-soft px-1 text-[11px]/4 font-medium text-warm tabular-nums ring-2 ring-surface">
          {count > 99 ? "99+" : count}
        </span>
      )}
    </Link>
  );
}

function OrganizationSwitcher() {
  const { id, name: given } = useOrganization();
  const { email } = useUser();
  const { data = [] } = useOrganizations();
  const name = nameFor(given, email);
  const go = useGo();
  const navigate = useNavigate();
  const trigger = (
    <button
      type="button"
      aria-label={t("shell.organisationNameChange", { name })}
      className="flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 font-semibold hover:bg-hover"
    >
      <span className="max-w-48 truncate">{name}</span>
      <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuLabel>{t("shell.organisations")}</MenuLabel>
      {data.map((organization) => (
        <MenuItem key={organization.id} checked={organization.id === id} onSelect={() => go("", organization.id)}>
          {nameFor(organization.name, email)}
        </MenuItem>
      ))}
      <MenuItem icon={Plus} onSelect={() => void navigate({ to: NEW_ORGANIZATION })}>
        {t("shell.newOrganisation")}
      </MenuItem>
    </Menu>
  );
}

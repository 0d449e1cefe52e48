import { Link } from "@tanstack/react-router";
import { ChevronsUpDown, CircleHelp, Menu as MenuIcon, Search } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { Logo } from "@/components/Logo";
import { Menu, MenuItem, MenuLabel } from "@/components/Menu";
import { useOrganizations } from "@/lib/api/organizations";
import { useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { nameFor, useOrganization, useOrgPath } from "@/lib/organization";

import { AccountMenu } from "./AccountMenu";
import { openHelp, openPalette } from "./panels";
import { useGo } from "./useGo";
import { useNavigation } from "./useNavigation";

export function TopBar() {
  return (
    <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:px-4">
      <FoldedNavigation />
      <Link to={useOrgPath()("")} aria-label={t("shell.docagentStart")} className="rounded-md p-1 max-lg:hidden">
        <Logo size={22} />
      </Link>
      <OrganizationSwitcher />
      <Navigation />
      <div className="ml-auto flex items-center gap-1">
        <button
          type="button"
          onClick={openPalette}
          className="hidden h-8 items-center gap-2 rounded-md border bg-canvas px-2 text-sm text-muted hover:bg-hover 2xl:flex"
        >
          <Search size={14} aria-hidden />{" "}{t("shell.findACommand")}{" "}<Kbd keys="Mod+K" />
        </button>
        <IconButton icon={Search} label={t("shell.findACommand")} onClick={openPalette} className="2xl:hidden" />
        <IconButton icon={CircleHelp} label={t("shell.keysAndHelp")} onClick={openHelp} className="max-sm:hidden" />
        <AccountMenu />
      </div>
    </header>
  );
}

function Navigation() {
  const orgPath = useOrgPath();
  const pages = useNavigation();
  return (
    <nav aria-label={t("shell.pages")} className="ml-2 hidden items-center gap-0.5 lg:flex">
      {pages.map((page) => (
        <Link
          key={page.path}
          to={orgPath(page.path)}
          className="rounded-md px-1.5 py-1 whitespace-nowrap text-muted hover:bg-hover hover:text-ink xl:px-2"
          activeProps={{ className: "bg-hover !text-ink font-medium" }}
        >
          {page.title}
          {page.nav?.useCount && <Waiting useCount={page.nav.useCount} />}
        </Link>
      ))}
    </nav>
  );
}

/** How much waits for the user on a page; nothing when nothing does. */
function Waiting({ useCount }: { useCount: () => number }) {
  const count = useCount();
  if (!count) return null;
  return (
    <span className="ml-1.5 rounded-sm bg-warm-soft px-1 text-xs font-medium text-warm">
      <span className="sr-only">, </span>
      {count}
      <span className="sr-only">{t("shell.waiting")}</span>
    </span>
  );
}

/** The same pages behind one button, where there is no room for a row. */
function FoldedNavigation() {
  const go = useGo();
  const pages = useNavigation();
  return (
    <nav aria-label={t("shell.pagesFolded")} className="lg:hidden">
      <Menu trigger={<IconButton icon={MenuIcon} label={t("shell.pages")} />}>
        {pages.map((page) => (
          <MenuItem key={page.path} icon={page.nav?.icon} onSelect={() => go(page.path)}>
            {page.title}
            {page.nav?.useCount && <Waiting useCount={page.nav.useCount} />}
          </MenuItem>
        ))}
      </Menu>
    </nav>
  );
}

function OrganizationSwitcher() {
  const { id, name: given } = useOrganization();
  const { email } = useUser();
  const { data = [] } = useOrganizations();
  const name = nameFor(given, email);
  const go = useGo();
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
    </Menu>
  );
}

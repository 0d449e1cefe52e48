import { Link, useLocation, useNavigate } from "@tanstack/react-router";

import { Select } from "@/components/Field";
import { useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { nameFor, useOrganization, useOrgPath } from "@/lib/organization";
import { useRights } from "@/lib/rights";

import { pathOf, SECTIONS, WHAT_TO_FIND } from "./sections";

/** What there is in Settings: a column of links; on a phone one list to choose from. */
export function SettingsNavigation() {
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { name } = useOrganization();
  const { email } = useUser();
  const { isAdmin } = useRights();
  const sections = SECTIONS.filter((section) => isAdmin || !section.adminsOnly).map((section) => ({ ...section, label: section.label, path: orgPath(pathOf(section)) }));
  const groups = [
    { of: "find", label: t("pages.whatToFind"), items: WHAT_TO_FIND.map((page) => ({ label: page.label, path: orgPath(page.path) })) },
    { of: "organisation", label: nameFor(name, email), items: sections.filter((section) => section.of === "organisation") },
    { of: "you", label: t("common.you"), items: sections.filter((section) => section.of === "you") },
  ];
  return (
    <>
      <Select aria-label={t("common.settings")} className="md:hidden" value={pathname} onChange={(event) => void navigate({ to: event.target.value })}>
        {groups.map((group) => (
          <optgroup key={group.of} label={group.label}>
            {group.items.map((item) => (
              <option key={item.path} value={item.path}>
                {item.label}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <nav aria-label={t("common.settings")} className="hidden w-44 shrink-0 flex-col gap-4 md:flex">
        {groups.map((group) => (
          <div key={group.of} className="flex flex-col gap-0.5">
            <p className="truncate px-2 text-xs text-muted">{group.label}</p>
            {group.items.map((item) => (
              <Link
                key={item.path}
                to={item.path}
                className="rounded-md px-2 py-1 text-muted hover:bg-hover hover:text-ink"
                activeProps={{ className: "bg-hover !text-ink font-medium" }}
              >
                {item.label}
              </Link>
            ))}
          </div>
        ))}
      </nav>
    </>
  );
}

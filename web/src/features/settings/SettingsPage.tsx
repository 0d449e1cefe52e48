import { Link, Navigate, useNavigate, useParams } from "@tanstack/react-router";

import { Select } from "@/components/Field";
import { EmptyState } from "@/components/Notes";
import { useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { nameFor, useOrganization, useOrgPath } from "@/lib/organization";
import { useTitle } from "@/lib/title";

import { AccountSection } from "./AccountSection";
import { AppearanceSection } from "./AppearanceSection";
import { ModelsSection } from "./ModelsSection";
import { OrganisationSection } from "./OrganisationSection";
import { TokensSection } from "./TokensSection";
import { AgentSection } from "./agent/AgentSection";
import { MembersSection } from "./members/MembersSection";
import { ProvidersSection } from "./providers/ProvidersSection";
import { SECTIONS } from "./sections";
import { ServersSection } from "./servers/ServersSection";
import { UsageSection } from "./usage/UsageSection";

import type { ComponentType } from "react";

const CONTENT: Record<string, ComponentType> = {
  organisation: OrganisationSection,
  members: MembersSection,
  providers: ProvidersSection,
  models: ModelsSection,
  agent: AgentSection,
  servers: ServersSection,
  usage: UsageSection,
  tokens: TokensSection,
  account: AccountSection,
  appearance: AppearanceSection,
};

export default function SettingsPage() {
  const { section }: { section?: string } = useParams({ strict: false });
  const orgPath = useOrgPath();
  const current = SECTIONS.find((item) => item.id === section);
  useTitle(current ? t("settings.labelSettings", { label: current.label }) : t("common.settings"));
  if (section === undefined) return <Navigate to={orgPath(`settings/${SECTIONS[0]?.id ?? ""}`)} replace />;
  const Content = CONTENT[section];
  return (
    <div className="flex flex-col gap-4 md:flex-row md:gap-8">
      <Navigation section={section} />
      <div className="min-w-0 flex-1 md:max-w-4xl">
        {Content && current ? (
          <section aria-labelledby="settings-section" className="flex flex-col gap-4">
            <h1 id="settings-section" className="text-xl">
              {current.label}
            </h1>
            <Content />
          </section>
        ) : (
          <EmptyState title={t("settings.thereAreNoSuchSettings")} />
        )}
      </div>
    </div>
  );
}

/** A column of links; on a phone one list to choose from. */
function Navigation({ section }: { section: string }) {
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const { name } = useOrganization();
  const { email } = useUser();
  const groups = [
    { of: "organisation", label: nameFor(name, email) },
    { of: "you", label: t("common.you") },
  ] as const;
  return (
    <>
      <Select aria-label={t("common.settings")} className="md:hidden" value={section} onChange={(event) => void navigate({ to: orgPath(`settings/${event.target.value}`) })}>
        {groups.map((group) => (
          <optgroup key={group.of} label={group.label}>
            {SECTIONS.filter((item) => item.of === group.of).map((item) => (
              <option key={item.id} value={item.id}>
                {item.label}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <nav aria-label={t("common.settings")} className="hidden w-48 shrink-0 flex-col gap-4 md:flex">
        {groups.map((group) => (
          <div key={group.of} className="flex flex-col gap-0.5">
            <p className="truncate px-2 text-xs text-muted">{group.label}</p>
            {SECTIONS.filter((item) => item.of === group.of).map((item) => (
              <Link
                key={item.id}
                to={orgPath(`settings/${item.id}`)}
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

import { Navigate, useParams } from "@tanstack/react-router";

import { EmptyState } from "@/components/Notes";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
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
import { WebhooksSection } from "./webhooks/WebhooksSection";

import type { ComponentType } from "react";

const CONTENT: Record<string, ComponentType> = {
  organisation: OrganisationSection,
  members: MembersSection,
  providers: ProvidersSection,
  models: ModelsSection,
  agent: AgentSection,
  servers: ServersSection,
  webhooks: WebhooksSection,
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
    <div className="min-w-0 md:max-w-4xl">
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
  );
}

import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { PicturesChoice } from "@/components/PicturesChoice";
import type { Pictures } from "@/components/PicturesChoice";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useRights } from "@/lib/rights";
import { toast } from "@/lib/toasts";
import { useWished } from "@/lib/wished";

import { Card } from "./Card";
import { LeaveOrganisation } from "./LeaveOrganisation";
import { useOrganisationChange } from "./useOrganisationChange";

const TYPES = [
  { value: "individual", get label() { return t("settings.onePerson"); } },
  { value: "team", get label() { return t("settings.team"); } },
  { value: "enterprise", get label() { return t("settings.enterprise"); } },
] as const;
type Type = (typeof TYPES)[number]["value"];

export function OrganisationSection() {
  return (
    <>
      <NameAndType />
      <DefaultPrompt />
      <Proposals />
      <TimeZone />
      <PicturesForModels />
      <LeaveOrganisation />
    </>
  );
}

function NameAndType() {
  const organization = useOrganization();
  const { adminsOnly, isSystemAdmin } = useRights();
  const [name, setName] = useState(organization.name);
  const [type, setType] = useState<Type>(organization.type);
  const change = useOrganisationChange();
  const isSame = name.trim() === organization.name && type === organization.type;
  const first = TYPES.findIndex((item) => item.value === organization.type);
  return (
    <Card title={t("settings.nameAndKind")} about={t("settings.aKindCanOnlyGrowFrom")}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame && !adminsOnly) change.mutate({ name: name.trim(), type }, { onSuccess: () => toast(t("settings.savedTheOrganisation")) });
        }}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={t("common.name")}>{(control) => <Input {...control} required maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
          <Field label={t("common.kind")}>
            {(control) => (
              <Select {...control} value={type} onChange={(event) => setType(event.target.value as Type)}>
                {TYPES.slice(first)
                  .filter((item) => item.value !== "enterprise" || isSystemAdmin || organization.type === "enterprise")
                  .map((item) => (
                    <option key={item.value} value={item.value}>
                      {item.label}
                    </option>
                  ))}
              </Select>
            )}
          </Field>
        </div>
        {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
        <div>
          <Button type="submit" variant="primary" busy={change.isPending && t("common.saving")} disabledBecause={adminsOnly || (isSame && t("common.nothingHasChanged"))}>
            {t("settings.saveOrganisation")}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function DefaultPrompt() {
  const organization = useOrganization();
  const { adminsOnly } = useRights();
  const change = useOrganisationChange();
  const [shown, wish] = useWished(organization.default_prompt_enabled, (default_prompt_enabled, options) =>
    change.mutate({ default_prompt_enabled }, options),
  );
  return (
    <Card title={t("settings.documentSummary")} about={t("settings.everyNewDocumentGetsItsKind")}>
      <Checkbox
        label={t("settings.summariseEveryNewDocument")}
        checked={shown}
        disabled={Boolean(adminsOnly)}
        title={adminsOnly || undefined}
        onChange={(event) => wish(event.target.checked)}
      />
      {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
    </Card>
  );
}

function Proposals() {
  const organization = useOrganization();
  const { adminsOnly } = useRights();
  const change = useOrganisationChange();
  const [shown, wish] = useWished(organization.auto_create_default, (auto_create_default, options) => change.mutate({ auto_create_default }, options));
  return (
    <Card
      title={t("common.proposals")}
      about={t("settings.theAgentPreparesASchemaA")}
    >
      <Checkbox
        label={t("settings.prepareAProposalForEveryNew")}
        checked={shown}
        disabled={Boolean(adminsOnly)}
        title={adminsOnly || undefined}
        onChange={(event) => wish(event.target.checked)}
      />
      {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
    </Card>
  );
}

function TimeZone() {
  const organization = useOrganization();
  const { adminsOnly } = useRights();
  const change = useOrganisationChange();
  const [shown, wish] = useWished(organization.time_zone ?? "", (time_zone, options) => change.mutate({ time_zone }, options));
  return (
    <Card title={t("settings.timeZone")} about={t("settings.theAgentSaysWhatDayItIs")}>
      <Field label={t("settings.timeZone")}>
        {(control) => (
          <Select {...control} value={shown} disabled={Boolean(adminsOnly)} title={adminsOnly || undefined} onChange={(event) => wish(event.target.value)}>
            {!shown && <option value="">{t("settings.timeZoneOfTheServer")}</option>}
            {[...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(shown ? [shown] : [])])].map((name) => (
              <option key={name} value={name}>
                {name.replaceAll("_", " ")}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
    </Card>
  );
}

function readsPages({ llm }: Record<string, unknown>): boolean {
  return typeof llm === "object" && llm !== null && "reads_doubtful_pages" in llm && llm.reads_doubtful_pages === true;
}

function PicturesForModels() {
  const organization = useOrganization();
  const { adminsOnly } = useRights();
  const change = useOrganisationChange();
  const [when, wishWhen] = useWished<Pictures>(organization.pictures ?? "doubtful", (pictures, options) => change.mutate({ pictures }, options));
  const [isRemote, wishRemote] = useWished(organization.remote_pictures, (remote_pictures, options) => change.mutate({ remote_pictures }, options));
  const [isReader, wishReader] = useWished(readsPages(organization.ocr_config), (reads_doubtful_pages, options) =>
    change.mutate({ ocr_config: { llm: { reads_doubtful_pages } } }, options),
  );
  return (
    <Card title={t("settings.picturesForModels")} about={t("settings.modelsThatSeeGetPictures")}>
      <div className="flex flex-col gap-3">
        <PicturesChoice value={when} disabledBecause={adminsOnly} onChange={wishWhen} />
        <Checkbox
          label={t("settings.sendPicturesOutside")}
          checked={isRemote}
          disabled={Boolean(adminsOnly)}
          title={adminsOnly || undefined}
          onChange={(event) => wishRemote(event.target.checked)}
        />
        <Checkbox
          label={t("settings.letTheModelReadPages")}
          checked={isReader}
          disabled={Boolean(adminsOnly)}
          title={adminsOnly || undefined}
          onChange={(event) => wishReader(event.target.checked)}
        />
      </div>
      {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
    </Card>
  );
}

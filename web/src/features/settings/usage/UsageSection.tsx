import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { DayChart } from "@/components/DayChart";
import { Field, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { Tabs } from "@/components/Tabs";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useNameOf } from "@/lib/api/members";
import { byDay, lastDays } from "@/lib/days";
import { words } from "@/lib/format";
import { locale, t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useRights } from "@/lib/rights";

import { Card } from "../Card";

import { Balance } from "./Balance";
import { SentPictures } from "./SentPictures";

type By = Schemas["BreakdownOut"]["by"];

const RANGES = [7, 30, 90];

export function UsageSection() {
  const { adminsOnly } = useRights();
  const [range, setRange] = useState(30);
  if (adminsOnly) return <p className="text-muted">{t("usage.administratorsOfTheOrganisationSeeIts")}</p>;
  return (
    <>
      <Balance />
      <Field label={t("usage.showTheLast")} className="w-40">
        {(control) => (
          <Select {...control} value={range} onChange={(event) => setRange(Number(event.target.value))}>
            {RANGES.map((days) => (
              <option key={days} value={days}>
                {t("usage.daysDays", { days })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ByDay range={range} />
      <Breakdowns range={range} />
      <SentPictures />
    </>
  );
}

function useBreakdown(by: By, range: number) {
  const { id } = useOrganization();
  const days = lastDays(range);
  return useQuery({
    queryKey: [id, "usage", by, days[0]],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/payments/usage/breakdown", {
          params: { path: { organization_id: id }, query: { by, start_date: days[0] } },
        }),
      ),
  });
}

function ByDay({ range }: { range: number }) {
  const { data, error } = useBreakdown("day", range);
  return (
    <Card title={t("usage.byDay")}>
      {error && <ErrorNote what={t("usage.theUsageCannotBeShown")} error={error} />}
      {!data && !error && <Loading what={t("usage.theUsage")} />}
      {data && <DayChart title={t("usage.creditsByDay")} unit={t("common.credits")} points={byDay(lastDays(range), data.groups.map((group) => [group.key, group.spus]))} height={150} />}
    </Card>
  );
}

function Breakdowns({ range }: { range: number }) {
  const [by, setBy] = useState("operation");
  const tabs = (["operation", "model", "user"] as const).map((value) => ({
    value,
    label: t("usage.byGroup", { by: value }),
    content: <Breakdown by={value} range={range} />,
  }));
  return <Tabs label={t("usage.whereTheCreditsWent")} value={by} onChange={setBy} tabs={tabs} />;
}

function Breakdown({ by, range }: { by: By; range: number }) {
  const { data, error } = useBreakdown(by, range);
  const nameOf = useNameOf();
  if (error) return <ErrorNote className="mt-3" error={error} />;
  if (!data) return <Loading what={t("usage.theUsage")} />;
  if (!data.groups.length) return <p className="py-4 text-muted">{t("usage.noUsageInThisPeriod")}</p>;
  const label = (key: string): string => (key === "" ? t("usage.unknown") : by === "user" ? nameOf(key) || t("usage.unknown") : by === "operation" ? operation(key) : key);
  return (
    <Table label={t("usage.usageByBy", { by })} className="mt-3">
      <thead>
        <tr>
          <Th>{by === "user" ? t("usage.person") : t("usage.groupedBy", { by })}</Th>
          <Th className="text-right">{t("common.credits")}</Th>
          <Th className="text-right">{t("usage.calls")}</Th>
          <Th className="text-right max-sm:hidden">{t("usage.tokensIn")}</Th>
          <Th className="text-right max-sm:hidden">{t("usage.tokensOut")}</Th>
          <Th className="text-right">{t("usage.costUs")}</Th>
        </tr>
      </thead>
      <tbody>
        {data.groups.map((group) => (
          <Tr key={group.key}>
            <Td className="font-medium">{label(group.key)}</Td>
            <Td className="text-right">{group.spus.toLocaleString(locale())}</Td>
            <Td className="text-right">{group.calls.toLocaleString(locale())}</Td>
            <Td className="text-right max-sm:hidden">{group.input_tokens.toLocaleString(locale())}</Td>
            <Td className="text-right max-sm:hidden">{group.output_tokens.toLocaleString(locale())}</Td>
            <Td className="text-right">{group.cost_usd.toLocaleString(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 })}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

const OPERATIONS: Record<string, string> = {
  get agent_llm() { return t("common.agent"); },
  get document_llm() { return t("common.extraction"); },
  get ocr() { return t("usage.readingPages"); },
  get document_processing() { return t("usage.documentProcessing"); },
};

function operation(key: string): string {
  return OPERATIONS[key] ?? words(key);
}

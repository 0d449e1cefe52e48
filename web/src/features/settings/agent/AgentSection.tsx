import { Badge } from "@/components/Badge";
import { Field, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { strategyName } from "@/lib/agent/strategies";
import { useStrategies } from "@/lib/api/agent";
import { t } from "@/lib/i18n";
import { useRights } from "@/lib/rights";
import { useWished } from "@/lib/wished";

import { Card } from "../Card";

import { AddRule } from "./AddRule";
import { RuleTable } from "./RuleTable";
import { useAgentSettings, useStrategyChange } from "./useAgentSettings";
import { useRules } from "./useRules";

export function AgentSection() {
  const { data: rules, error, refetch } = useRules();
  const { isAdmin } = useRights();
  const policy = rules?.filter((rule) => rule.scope === "everyone") ?? [];
  const mine = rules?.filter((rule) => rule.scope === "me") ?? [];
  return (
    <>
      {error && <ErrorNote what={t("rules.theRulesCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!rules && !error && <Loading what={t("rules.theRules")} />}
      {rules && (
        <>
          <Card
            title={t("rules.policyForEveryone")}
            about={t("rules.withoutARuleTheAgentReads")}
          >
            <RuleTable label={t("rules.policyForEveryone")} rules={policy} empty={t("rules.thereIsNoRuleYet")} canRevoke={isAdmin} />
            {isAdmin ? <AddRule /> : <p className="text-sm text-muted">{t("rules.onlyAdministratorsOfTheOrganisationSet")}</p>}
          </Card>
          <Card title={t("rules.whatYouAlwaysAllow")} about={t("rules.rememberedWhenYouChoseAlwaysAllow")}>
            <RuleTable label={t("rules.whatYouAlwaysAllow")} rules={mine} empty={t("rules.nothingIsRemembered")} canRevoke />
          </Card>
        </>
      )}
      <Strategies />
    </>
  );
}

function Strategies() {
  const { data: strategies, error } = useStrategies();
  const { data: settings, error: unknown } = useAgentSettings();
  const { adminsOnly } = useRights();
  const change = useStrategyChange();
  const [chosen, wish] = useWished(settings?.default_strategy ?? null, change.mutate);
  return (
    <Card title={t("rules.strategies")} about={t("rules.chosenForEachMessageBesideThe")}>
      {(error ?? unknown) && <ErrorNote what={t("rules.theStrategiesCannotBeShown")} error={error ?? unknown} />}
      {settings && strategies && (
        <Field label={t("rules.usedByDefault")} hint={adminsOnly || undefined} className="sm:max-w-80">
          {(control) => (
            <Select {...control} disabled={Boolean(adminsOnly)} value={chosen ?? ""} onChange={(event) => wish(event.target.value || null)}>
              <option value="">{t("rules.leaveItToTheServer")}</option>
              {strategies.map((strategy) => (
                <option key={strategy.name} value={strategy.name}>
                  {strategyName(strategy.name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {change.error && <ErrorNote what={t("rules.theDefaultIsTheSameAs")} error={change.error} />}
      <ul aria-label={t("rules.strategies")} className="flex flex-col gap-2">
        {strategies?.map((strategy) => (
          <li key={strategy.name}>
            <span className="inline-flex items-center gap-2">
              <span className="font-medium">{strategyName(strategy.name)}</span>
              {strategy.default && <Badge>{t("rules.usedByDefault2")}</Badge>}
            </span>
            <span className="block text-sm text-muted">{strategy.description}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

import { Badge } from "@/components/Badge";
import { Field, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { strategyName } from "@/lib/agent/strategies";
import { useStrategies } from "@/lib/api/agent";
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
      {error && <ErrorNote what="The rules cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!rules && !error && <Loading what="the rules" />}
      {rules && (
        <>
          <Card
            title="Policy for everyone"
            about="Without a rule, the agent reads at once and asks before each change. A refusal goes before everything else; no request can widen what the policy forbids."
          >
            <RuleTable label="Policy for everyone" rules={policy} empty="There is no rule yet." canRevoke={isAdmin} />
            {isAdmin ? <AddRule /> : <p className="text-sm text-muted">Only administrators of the organisation set its policy.</p>}
          </Card>
          <Card title="What you always allow" about="Remembered when you chose “Always allow”. Applies only to you.">
            <RuleTable label="What you always allow" rules={mine} empty="Nothing is remembered." canRevoke />
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
    <Card title="Ways of working" about="Chosen for each message beside the input. This one is used when a message names none.">
      {(error ?? unknown) && <ErrorNote what="The ways of working cannot be shown." error={error ?? unknown} />}
      {settings && strategies && (
        <Field label="Used by default" hint={adminsOnly || undefined} className="sm:max-w-80">
          {(control) => (
            <Select {...control} disabled={Boolean(adminsOnly)} value={chosen ?? ""} onChange={(event) => wish(event.target.value || null)}>
              <option value="">Leave it to the server</option>
              {strategies.map((strategy) => (
                <option key={strategy.name} value={strategy.name}>
                  {strategyName(strategy.name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {change.error && <ErrorNote what="The default is the same as before." error={change.error} />}
      <ul aria-label="Ways of working" className="flex flex-col gap-2">
        {strategies?.map((strategy) => (
          <li key={strategy.name}>
            <span className="inline-flex items-center gap-2">
              <span className="font-medium">{strategyName(strategy.name)}</span>
              {strategy.default && <Badge>used by default</Badge>}
            </span>
            <span className="block text-sm text-muted">{strategy.description}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

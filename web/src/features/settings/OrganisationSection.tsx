import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { useOrganization } from "@/lib/organization";
import { useRights } from "@/lib/rights";
import { toast } from "@/lib/toasts";
import { useWished } from "@/lib/wished";

import { Card } from "./Card";
import { useOrganisationChange } from "./useOrganisationChange";

const TYPES = [
  { value: "individual", label: "One person" },
  { value: "team", label: "Team" },
  { value: "enterprise", label: "Enterprise" },
] as const;
type Type = (typeof TYPES)[number]["value"];

export function OrganisationSection() {
  return (
    <>
      <NameAndType />
      <DefaultPrompt />
      <Proposals />
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
    <Card title="Name and kind" about="A kind can only grow: from one person to a team, from a team to an enterprise.">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame && !adminsOnly) change.mutate({ name: name.trim(), type }, { onSuccess: () => toast("Saved the organisation.") });
        }}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Name">{(control) => <Input {...control} required maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
          <Field label="Kind">
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
        {change.error && <ErrorNote what="Nothing was changed." error={change.error} />}
        <div>
          <Button type="submit" variant="primary" busy={change.isPending && "Saving"} disabledBecause={adminsOnly || (isSame && "Nothing has changed.")}>
            Save organisation
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
    <Card title="Document summary" about="Every new document gets its kind, date and a short summary, even without a prompt of your own.">
      <Checkbox
        label="Summarise every new document"
        checked={shown}
        disabled={Boolean(adminsOnly)}
        title={adminsOnly || undefined}
        onChange={(event) => wish(event.target.checked)}
      />
      {change.error && <ErrorNote what="Nothing was changed." error={change.error} />}
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
      title="Proposals"
      about="The agent prepares a schema, a prompt and a first extraction for a new document. Nothing of it is kept until somebody accepts it. Every upload can say otherwise."
    >
      <Checkbox
        label="Prepare a proposal for every new document"
        checked={shown}
        disabled={Boolean(adminsOnly)}
        title={adminsOnly || undefined}
        onChange={(event) => wish(event.target.checked)}
      />
      {change.error && <ErrorNote what="Nothing was changed." error={change.error} />}
    </Card>
  );
}

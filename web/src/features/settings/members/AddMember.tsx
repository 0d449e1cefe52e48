import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { api, ask } from "@/lib/api/client";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { passwordHint, SHORTEST_PASSWORD } from "@/lib/passwords";
import { useRights } from "@/lib/rights";
import { toast } from "@/lib/toasts";

import { Invite } from "./Invite";
import { RoleField } from "./RoleField";
import { useMembership, withMember } from "./useMembership";

import type { Member } from "./useMembership";

/** Somebody is invited. Those who run the server may also add somebody at once, who has an account or gets one here. */
export function AddMember({ onDone }: { onDone: () => void }) {
  const { isSystemAdmin } = useRights();
  const [kind, setKind] = useState<"known" | "new" | "invited">("invited");
  return (
    <section aria-label={t("members.addAMember")} className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      {isSystemAdmin && (
        <div role="radiogroup" aria-label={t("members.who")} className="flex flex-wrap gap-4">
          <Radio label={t("members.byInvitation")} checked={kind === "invited"} onChoose={() => setKind("invited")} />
          <Radio label={t("members.somebodyNew")} checked={kind === "new"} onChoose={() => setKind("new")} />
          <Radio label={t("members.somebodyWithAnAccount")} checked={kind === "known"} onChoose={() => setKind("known")} />
        </div>
      )}
      {kind === "new" && <NewUser onDone={onDone} />}
      {kind === "known" && <KnownUser onDone={onDone} />}
      {kind === "invited" && <Invite onDone={onDone} />}
    </section>
  );
}

function Radio({ label, checked, onChoose }: { label: string; checked: boolean; onChoose: () => void }) {
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-2">
      <input type="radio" checked={checked} onChange={onChoose} className="size-4 accent-(--accent)" /> {label}
    </label>
  );
}

function NewUser({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Member["role"]>("user");
  const membership = useMembership();
  const create = useMutation({
    mutationFn: async () => {
      const user = await ask(api.POST("/v0/account/users", { body: { name: name.trim(), email: email.trim(), password } }));
      await membership.mutateAsync(withMember(user.id, role));
      return user;
    },
    onSuccess: (user) => {
      toast(t("members.nameIsAMemberNow", { name: user.name }));
      onDone();
    },
  });
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <p className="text-sm text-muted">{t("members.noMailIsSentTellThem")}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t("common.name")}>{(control) => <Input {...control} required autoFocus autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />}</Field>
        <Field label={t("common.eMail")}>{(control) => <Input {...control} required type="email" autoComplete="off" value={email} onChange={(event) => setEmail(event.target.value)} />}</Field>
        <Field label={t("members.firstPassword")} hint={passwordHint()}>
          {(control) => <Input {...control} required minLength={SHORTEST_PASSWORD} type="password" autoComplete="new-password" value={password} onChange={(event) => setPassword(event.target.value)} />}
        </Field>
        <RoleField role={role} onRole={setRole} />
      </div>
      {create.error && <ErrorNote what={t("members.couldNotAddTheMember")} error={create.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={create.isPending && t("common.adding")}>
          {t("members.createUserAndAdd")}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}

function KnownUser({ onDone }: { onDone: () => void }) {
  const { members } = useOrganization();
  const [find, setFind] = useState("");
  const [chosen, setChosen] = useState("");
  const [role, setRole] = useState<Member["role"]>("user");
  const membership = useMembership();
  const { data, error } = useQuery({
    queryKey: ["users", find],
    queryFn: async () => (await ask(api.GET("/v0/account/users", { params: { query: { search_name: find || undefined, limit: 50 } } }))).users,
  });
  const offered = data?.filter((user) => !members.some((member) => member.user_id === user.id)) ?? [];
  const userId = offered.find((user) => user.id === chosen)?.id ?? offered[0]?.id;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (userId) membership.mutate(withMember(userId, role), { onSuccess: onDone });
      }}
    >
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label={t("members.findByNameOrEMail")}>{(control) => <Input {...control} autoFocus type="search" value={find} onChange={(event) => setFind(event.target.value)} />}</Field>
        <Field label={t("members.user")} hint={data && !offered.length ? t("members.noUserFoundToAdd") : undefined}>
          {(control) => (
            <Select {...control} value={userId ?? ""} onChange={(event) => setChosen(event.target.value)}>
              {!offered.length && <option value="">{t("members.nobody")}</option>}
              {offered.map((user) => (
                <option key={user.id} value={user.id}>
                  {user.name} ({user.email})
                </option>
              ))}
            </Select>
          )}
        </Field>
        <RoleField role={role} onRole={setRole} />
      </div>
      {(error ?? membership.error) && <ErrorNote what={t("members.couldNotAddTheMember")} error={error ?? membership.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={membership.isPending && t("common.adding")} disabledBecause={!userId && t("members.findSomebodyFirst")}>
          {t("members.addMember")}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}

import { UserPlus } from "lucide-react";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { useMembers } from "@/lib/api/members";
import { useUser } from "@/lib/api/session";
import type { User } from "@/lib/api/session";
import { useCommands } from "@/lib/commands";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useRights } from "@/lib/rights";


import { AddMember } from "./AddMember";
import { OpenInvitations } from "./OpenInvitations";
import { useMembership, withoutMember, withRole } from "./useMembership";

import type { Member } from "./useMembership";

export function MembersSection() {
  const { members } = useOrganization();
  const { adminsOnly, isSystemAdmin } = useRights();
  const what = isSystemAdmin ? t("members.addMember") : t("members.inviteSomebody");
  const { data: users, error, refetch } = useMembers();
  const [isAdding, setIsAdding] = useState(false);
  useCommands(adminsOnly ? [] : [{ id: "members.add", label: what, words: t("members.addInviteUser"), run: () => setIsAdding(true) }]);
  return (
    <>
      <p className="text-muted">{t("members.membersSeeAllDocumentsOfThe")}</p>
      {isAdding ? (
        <AddMember onDone={() => setIsAdding(false)} />
      ) : (
        <div>
          <Button variant="primary" icon={UserPlus} disabledBecause={adminsOnly} onClick={() => setIsAdding(true)}>
            {what}
          </Button>
        </div>
      )}
      {error && <ErrorNote what={t("members.theMembersCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!users && !error && <Loading what={t("members.theMembers")} />}
      {users && (
        <Table label={t("common.members")}>
          <thead>
            <tr>
              <Th>{t("common.name")}</Th>
              <Th className="max-sm:hidden">{t("common.eMail")}</Th>
              <Th>{t("members.role")}</Th>
              <Th>
                <span className="sr-only">{t("common.actions")}</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              <MemberRow key={user.id} user={user} role={members.find((member) => member.user_id === user.id)?.role ?? "user"} />
            ))}
          </tbody>
        </Table>
      )}
      {!adminsOnly && <OpenInvitations />}
    </>
  );
}

function MemberRow({ user, role }: { user: User; role: Member["role"] }) {
  const me = useUser();
  const { adminsOnly } = useRights();
  const change = useMembership();
  const [isAsking, setIsAsking] = useState(false);
  const name = user.name || user.email;
  return (
    <>
      <Tr>
        <Td>
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="font-medium">{name}</span>
            {user.id === me.id && <Badge>{t("members.you")}</Badge>}
            {user.role === "admin" && <Badge>{t("members.runsTheServer")}</Badge>}
          </span>
          <span className="block text-sm text-muted sm:hidden">{user.email}</span>
        </Td>
        <Td className="text-muted max-sm:hidden">{user.email}</Td>
        <Td>
          <Select
            aria-label={t("members.roleOfName", { name })}
            className="!w-36"
            value={role}
            disabled={Boolean(adminsOnly) || change.isPending}
            title={adminsOnly || undefined}
            onChange={(event) => change.mutate(withRole(user.id, event.target.value as Member["role"]))}
          >
            <option value="user">{t("members.member")}</option>
            <option value="admin">{t("members.administrator")}</option>
          </Select>
        </Td>
        <Td className="text-right">
          {isAsking ? (
            <span role="group" aria-label={t("members.removeName", { name })} className="inline-flex flex-wrap justify-end gap-1">
              <Button small variant="danger" autoFocus busy={change.isPending && t("common.removing")} onClick={() => change.mutate(withoutMember(user.id), { onError: () => setIsAsking(false) })}>
                {t("members.removeFromOrganisation")}
              </Button>
              <Button small variant="quiet" onClick={() => setIsAsking(false)}>
                {t("common.keep")}
              </Button>
            </span>
          ) : (
            <Button small variant="quiet" aria-label={t("common.removeName", { name })} disabledBecause={adminsOnly} onClick={() => setIsAsking(true)}>
              {t("members.remove")}
            </Button>
          )}
        </Td>
      </Tr>
      {change.error && (
        <tr>
          <td colSpan={4} className="p-2">
            <ErrorNote what={t("common.nothingWasChanged")} error={change.error} onDismiss={() => change.reset()} />
          </td>
        </tr>
      )}
    </>
  );
}

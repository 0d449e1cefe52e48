import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { ShownOnce } from "@/components/ShownOnce";
import { Table, Td, Th, Tr } from "@/components/Table";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useCommands } from "@/lib/commands";
import { inSentence, locale, t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { stoppedText } from "@/lib/stopped";
import { toast } from "@/lib/toasts";


type Token = Schemas["TokensOut"]["access_tokens"][number];
type Reach = "organization" | "account";

const LIFETIMES = [
  { days: 30, get label() { return t("settings.n30Days"); } },
  { days: 90, get label() { return t("settings.n90Days"); } },
  { days: 365, get label() { return t("settings.aYear"); } },
  { days: 0, get label() { return t("settings.noEnd"); } },
];

const SCOPES: Record<Token["scope"], { wish: string; may: string }> = {
  ask: { get wish() { return t("settings.everythingModelsAskBeforeTheyChange"); }, get may() { return t("settings.readAndWrite"); } },
  read: { get wish() { return t("settings.readOnly"); }, get may() { return t("settings.read"); } },
  write: { get wish() { return t("settings.everythingModelsDoNotAsk"); }, get may() { return t("settings.writeWithoutAsking"); } },
};

export function TokensSection() {
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<Token | null>(null);
  useCommands([{ id: "tokens.create", label: t("settings.createAnApiToken"), run: () => setIsMaking(true) }]);
  return (
    <>
      <p className="text-muted">{t("settings.withATokenAProgramActs")}</p>
      {made && (
        <ShownOnce title={t("settings.yourNewToken")} noun="token" value={made.token} onDone={() => setMade(null)}>
          <strong>{made.name}</strong>{" "}{t("settings.isReadyCopyItNowIt")}
        </ShownOnce>
      )}
      {isMaking ? (
        <NewToken
          onMade={(token) => {
            setMade(token);
            setIsMaking(false);
          }}
          onCancel={() => setIsMaking(false)}
        />
      ) : (
        <div>
          <Button variant="primary" icon={Plus} onClick={() => setIsMaking(true)}>
            {t("settings.createToken")}
          </Button>
        </div>
      )}
      <TokenTable reach="organization" title={t("settings.forThisOrganisation")} />
      <TokenTable reach="account" title={t("settings.forYourAccount")} />
    </>
  );
}

function NewToken({ onMade, onCancel }: { onMade: (token: Token) => void; onCancel: () => void }) {
  const { id, name: organization } = useOrganization();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [reach, setReach] = useState<Reach>("organization");
  const [scope, setScope] = useState<Token["scope"]>("ask");
  const [lifetime, setLifetime] = useState(90);
  const create = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), lifetime, scope };
      return reach === "account"
        ? ask(api.POST("/v0/account/access_tokens", { body }))
        : ask(api.POST("/v0/orgs/{organization_id}/access_tokens", { params: { path: { organization_id: id } }, body }));
    },
    onSuccess: async (token) => {
      onMade(token);
      await queryClient.invalidateQueries({ queryKey: [id, "tokens"] });
    },
  });
  return (
    <form
      aria-label={t("settings.newToken")}
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t("common.name")} hint={t("settings.whatWillUseIt")}>
          {(control) => <Input {...control} required autoFocus maxLength={255} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label={t("settings.itReaches")}>
          {(control) => (
            <Select {...control} value={reach} onChange={(event) => setReach(event.target.value as Reach)}>
              <option value="organization">{t("settings.organizationAlone", { organization })}</option>
              <option value="account">{t("common.yourAccount")}</option>
            </Select>
          )}
        </Field>
        <Field label={t("settings.itMay")} hint={t("settings.modelsAskWhereAChatClient")}>
          {(control) => (
            <Select {...control} value={scope} onChange={(event) => setScope(event.target.value as Token["scope"])}>
              {Object.entries(SCOPES).map(([each, { wish }]) => (
                <option key={each} value={each}>
                  {wish}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t("settings.itEndsAfter")}>
          {(control) => (
            <Select {...control} value={lifetime} onChange={(event) => setLifetime(Number(event.target.value))}>
              {LIFETIMES.map((item) => (
                <option key={item.days} value={item.days}>
                  {item.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {create.error && <ErrorNote what={t("settings.noTokenWasMade")} error={create.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={create.isPending && t("common.creating")}>
          {t("settings.createToken")}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}

function TokenTable({ reach, title }: { reach: Reach; title: string }) {
  const { id } = useOrganization();
  const { data, error, refetch } = useQuery({
    queryKey: [id, "tokens", reach],
    queryFn: async () => {
      const found = await (reach === "account"
        ? ask(api.GET("/v0/account/access_tokens"))
        : ask(api.GET("/v0/orgs/{organization_id}/access_tokens", { params: { path: { organization_id: id } } })));
      return found.access_tokens;
    },
  });
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-base">{title}</h2>
      {error && <ErrorNote what={t("settings.theTokensCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what={t("settings.yourTokens")} />}
      {data?.length === 0 && <p className="text-muted">{t("settings.youHaveNoTokenHere")}</p>}
      {data && data.length > 0 && (
        <Table label={t("settings.tokensTitle", { title: inSentence(title) })}>
          <thead>
            <tr>
              <Th>{t("common.name")}</Th>
              <Th>{t("settings.beginsWith")}</Th>
              <Th className="max-sm:hidden">{t("settings.may")}</Th>
              <Th className="max-sm:hidden">{t("settings.lastUsed")}</Th>
              <Th className="max-sm:hidden">{t("settings.ends")}</Th>
              <Th>
                <span className="sr-only">{t("common.actions")}</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {data.map((token) => (
              <TokenRow key={token.id} token={token} reach={reach} />
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

function TokenRow({ token, reach }: { token: Token; reach: Reach }) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () =>
      reach === "account"
        ? ask(api.DELETE("/v0/account/access_tokens/{token_id}", { params: { path: { token_id: token.id } } }))
        : ask(
            api.DELETE("/v0/orgs/{organization_id}/access_tokens/{token_id}", {
              params: { path: { organization_id: id, token_id: token.id } },
            }),
          ),
    onSuccess: async ({ stopped }) => {
      toast(t("settings.tokenRevokedStoppedText", { stoppedText: stoppedText(stopped) }));
      await queryClient.invalidateQueries({ queryKey: [id, "tokens"] });
    },
  });
  return (
    <Tr>
      <Td className="max-w-48 truncate font-medium">{token.name}</Td>
      <Td className="font-mono text-sm">{token.token}</Td>
      <Td className="text-muted max-sm:hidden">{SCOPES[token.scope].may}</Td>
      <Td className="text-muted max-sm:hidden">{token.last_used_at ? <RelativeTime date={token.last_used_at} /> : t("settings.never")}</Td>
      <Td className="text-muted max-sm:hidden">{token.lifetime === 0 ? t("settings.never") : endOf(token)}</Td>
      <Td className="text-right">
        {revoke.error && <ErrorNote what={t("settings.theTokenStillWorks")} error={revoke.error} />}
        {isAsking ? (
          <span role="group" aria-label={t("settings.revokeName", { name: token.name })} className="inline-flex gap-1">
            <Button small variant="danger" autoFocus busy={revoke.isPending && t("common.revoking")} onClick={() => revoke.mutate()}>
              {t("settings.revokeToken")}
            </Button>
            <Button small variant="quiet" onClick={() => setIsAsking(false)}>
              {t("common.keep")}
            </Button>
          </span>
        ) : (
          <Button small variant="quiet" aria-label={t("settings.revokeName2", { name: token.name })} onClick={() => setIsAsking(true)}>
            {t("common.revoke")}
          </Button>
        )}
      </Td>
    </Tr>
  );
}

function endOf(token: Token): string {
  const end = new Date(token.created_at);
  end.setDate(end.getDate() + token.lifetime);
  return end.toLocaleDateString(locale(), { day: "numeric", month: "short", year: "numeric" });
}

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
import { useOrganization } from "@/lib/organization";
import { stoppedText } from "@/lib/stopped";
import { toast } from "@/lib/toasts";


type Token = Schemas["TokensOut"]["access_tokens"][number];
type Reach = "organization" | "account";

const LIFETIMES = [
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "A year" },
  { days: 0, label: "No end" },
];

const SCOPES: Record<Token["scope"], { wish: string; may: string }> = {
  ask: { wish: "Everything; models ask before they change something", may: "read and write" },
  read: { wish: "Read only", may: "read" },
  write: { wish: "Everything; models do not ask", may: "write without asking" },
};

export function TokensSection() {
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<Token | null>(null);
  useCommands([{ id: "tokens.create", label: "Create an API token", run: () => setIsMaking(true) }]);
  return (
    <>
      <p className="text-muted">With a token, a program acts in your name. A token of the organisation reaches this organisation alone.</p>
      {made && (
        <ShownOnce title="Your new token" noun="token" value={made.token} onDone={() => setMade(null)}>
          <strong>{made.name}</strong> is ready. Copy it now: it is shown this one time only.
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
            Create token
          </Button>
        </div>
      )}
      <TokenTable reach="organization" title="For this organisation" />
      <TokenTable reach="account" title="For your account" />
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
      aria-label="New token"
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Name" hint="What will use it.">
          {(control) => <Input {...control} required autoFocus maxLength={255} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="It reaches">
          {(control) => (
            <Select {...control} value={reach} onChange={(event) => setReach(event.target.value as Reach)}>
              <option value="organization">{organization} alone</option>
              <option value="account">Your account</option>
            </Select>
          )}
        </Field>
        <Field label="It may" hint="Models ask where a chat client is connected over MCP.">
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
        <Field label="It ends after">
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
      {create.error && <ErrorNote what="No token was made." error={create.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={create.isPending && "Creating"}>
          Create token
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
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
      {error && <ErrorNote what="The tokens cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="your tokens" />}
      {data?.length === 0 && <p className="text-muted">You have no token here.</p>}
      {data && data.length > 0 && (
        <Table label={`Tokens ${title.toLowerCase()}`}>
          <thead>
            <tr>
              <Th>Name</Th>
              <Th>Begins with</Th>
              <Th className="max-sm:hidden">May</Th>
              <Th className="max-sm:hidden">Last used</Th>
              <Th className="max-sm:hidden">Ends</Th>
              <Th>
                <span className="sr-only">Actions</span>
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
      toast(`Token revoked.${stoppedText(stopped)}`);
      await queryClient.invalidateQueries({ queryKey: [id, "tokens"] });
    },
  });
  return (
    <Tr>
      <Td className="max-w-48 truncate font-medium">{token.name}</Td>
      <Td className="font-mono text-sm">{token.token}</Td>
      <Td className="text-muted max-sm:hidden">{SCOPES[token.scope].may}</Td>
      <Td className="text-muted max-sm:hidden">{token.last_used_at ? <RelativeTime date={token.last_used_at} /> : "never"}</Td>
      <Td className="text-muted max-sm:hidden">{token.lifetime === 0 ? "never" : endOf(token)}</Td>
      <Td className="text-right">
        {revoke.error && <ErrorNote what="The token still works." error={revoke.error} />}
        {isAsking ? (
          <span role="group" aria-label={`Revoke ${token.name}?`} className="inline-flex gap-1">
            <Button small variant="danger" autoFocus busy={revoke.isPending && "Revoking"} onClick={() => revoke.mutate()}>
              Revoke token
            </Button>
            <Button small variant="quiet" onClick={() => setIsAsking(false)}>
              Keep
            </Button>
          </span>
        ) : (
          <Button small variant="quiet" aria-label={`Revoke ${token.name}`} onClick={() => setIsAsking(true)}>
            Revoke
          </Button>
        )}
      </Td>
    </Tr>
  );
}

function endOf(token: Token): string {
  const end = new Date(token.created_at);
  end.setDate(end.getDate() + token.lifetime);
  return end.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Checkbox } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { Table, Td, Th, Tr } from "@/components/Table";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";

import { OpenableRow } from "../OpenableRow";

import { useDeliveries, useWebhookCalls } from "./useWebhooks";

import type { Webhook } from "./useWebhooks";

export function WebhookRow({ webhook }: { webhook: Webhook }) {
  return (
    <OpenableRow
      className="gap-4"
      head={
        <>
          <span className="min-w-0 font-medium wrap-anywhere">{webhook.name ?? webhook.url}</span>
          {!webhook.active && <Badge>{t("common.switchedOff")}</Badge>}
          <span className="ml-auto text-sm text-muted max-sm:hidden">
            {webhook.events.length ? t("webhooks.countEvents", { count: webhook.events.length }) : t("webhooks.everything")}
          </span>
        </>
      }
    >
      <Details webhook={webhook} />
    </OpenableRow>
  );
}

function Details({ webhook }: { webhook: Webhook }) {
  const { change, remove, test } = useWebhookCalls();
  const told = test.data;
  return (
    <>
      <p className="font-mono text-sm wrap-anywhere text-muted">{webhook.url}</p>
      {webhook.events.length > 0 && <p className="text-sm text-muted">{webhook.events.map((event) => words(event.replace(".", " "))).join(", ")}</p>}
      <div className="flex flex-wrap items-center gap-3">
        <Checkbox label={t("webhooks.send")} checked={webhook.active} onChange={(event) => change.mutate({ webhookId: webhook.id, active: event.target.checked })} />
        <Button small busy={test.isPending && t("common.sending")} onClick={() => test.mutate(webhook.id)}>
          {t("webhooks.sendATest")}
        </Button>
        <Button small variant="danger" busy={remove.isPending && t("common.removing")} onClick={() => remove.mutate(webhook.id)}>
          {t("webhooks.deleteWebhook")}
        </Button>
      </div>
      {told && <p role="status">{told.state === "delivered" ? t("webhooks.theTestArrived", { status: told.status ?? 0 }) : t("webhooks.theTestDidNotArrive", { why: told.error ?? `${told.status ?? ""}` })}</p>}
      {(change.error ?? remove.error ?? test.error) && <ErrorNote what={t("common.nothingWasChanged")} error={change.error ?? remove.error ?? test.error} />}
      <Deliveries webhookId={webhook.id} />
    </>
  );
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const { data, error, refetch } = useDeliveries(webhookId);
  const { retry } = useWebhookCalls();
  if (error) return <ErrorNote what={t("webhooks.theDeliveriesCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what={t("webhooks.theDeliveries")} />;
  if (!data.deliveries.length) return <p className="text-sm text-muted">{t("webhooks.nothingWasSentYet")}</p>;
  return (
    <>
      <Table label={t("webhooks.lastDeliveries")}>
        <thead>
          <tr>
            <Th>{t("webhooks.event")}</Th>
            <Th>{t("webhooks.outcome")}</Th>
            <Th className="max-sm:hidden">{t("webhooks.attempts")}</Th>
            <Th className="max-sm:hidden">{t("webhooks.when")}</Th>
            <Th>
              <span className="sr-only">{t("common.actions")}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.deliveries.map((delivery) => (
            <Tr key={delivery.id}>
              <Td>{words(delivery.event.replace(".", " "))}</Td>
              <Td>
                <Badge tone={delivery.state === "delivered" ? "good" : delivery.state === "failed" ? "bad" : undefined}>
                  {t("webhooks.stateOfDelivery", { state: delivery.state })}
                </Badge>{" "}
                <span className="text-sm wrap-anywhere text-muted">{delivery.error ?? delivery.status}</span>
              </Td>
              <Td className="tabular-nums max-sm:hidden">{delivery.attempts}</Td>
              <Td className="text-muted max-sm:hidden">
                <RelativeTime date={delivery.created_at} />
              </Td>
              <Td className="text-right">
                {delivery.state !== "pending" && (
                  <Button small variant="quiet" aria-label={t("webhooks.sendAgainEvent", { event: words(delivery.event.replace(".", " ")) })} onClick={() => retry.mutate(delivery.id)}>
                    {t("webhooks.sendAgain")}
                  </Button>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {retry.error && <ErrorNote what={t("webhooks.itWasNotSentAgain")} error={retry.error} />}
    </>
  );
}

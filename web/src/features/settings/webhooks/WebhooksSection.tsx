import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { ShownOnce } from "@/components/ShownOnce";
import { t } from "@/lib/i18n";
import { useRights } from "@/lib/rights";

import { AddWebhook } from "./AddWebhook";
import { WebhookRow } from "./WebhookRow";
import { useWebhooks } from "./useWebhooks";

/** Addresses that are told what happens, with what was sent to each and what came of it. */
export function WebhooksSection() {
  const { adminsOnly } = useRights();
  const [isAdding, setIsAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  if (adminsOnly) return <p className="text-muted">{t("webhooks.administratorsSetUpWebhooks")}</p>;
  return (
    <>
      <p className="text-muted">{t("webhooks.whatAWebhookIs")}</p>
      {secret && (
        <ShownOnce title={t("webhooks.theNewSecret")} noun={t("webhooks.secret")} value={secret} onDone={() => setSecret(null)}>
          {t("webhooks.everyDeliveryIsSigned")}
        </ShownOnce>
      )}
      <Webhooks />
      {isAdding ? (
        <AddWebhook
          onDone={(made) => {
            setIsAdding(false);
            setSecret(made);
          }}
        />
      ) : (
        <div>
          <Button icon={Plus} onClick={() => setIsAdding(true)}>
            {t("webhooks.addAWebhook")}
          </Button>
        </div>
      )}
    </>
  );
}

function Webhooks() {
  const { data, error, refetch } = useWebhooks();
  if (error) return <ErrorNote what={t("webhooks.theWebhooksCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what={t("webhooks.theWebhooks")} />;
  if (!data.length) return null;
  return (
    <ul aria-label={t("pages.webhooks")} className="flex flex-col divide-y rounded-lg border bg-surface">
      {data.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} />
      ))}
    </ul>
  );
}

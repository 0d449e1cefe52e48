import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Input } from "@/components/Field";
import { Popover } from "@/components/Popover";
import { api, ask } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

interface DocumentFilterProps {
  document: { id: string; name: string } | null;
  onChange: (document: { id: string; name: string } | null) => void;
}

/** Only what happened on one document. */
export function DocumentFilter({ document, onChange }: DocumentFilterProps) {
  const { id } = useOrganization();
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const { data = [] } = useQuery({
    queryKey: [...keys.documents(id), "filter", typed.trim()],
    queryFn: async () =>
      (
        await ask(
          api.GET("/v0/orgs/{organization_id}/documents", {
            params: { path: { organization_id: id }, query: { limit: 8, name_search: typed.trim() || undefined } },
          }),
        )
      ).documents,
    placeholderData: keepPreviousData,
    enabled: isOpen,
  });
  const choose = (next: DocumentFilterProps["document"]): void => {
    onChange(next);
    setIsOpen(false);
  };
  const trigger = (
    <Button>
      <span className="max-w-48 truncate">{document?.name ?? t("common.allDocuments")}</span>
      <ChevronDown size={14} aria-hidden className="text-muted" />
    </Button>
  );
  return (
    <Popover label={t("activity.chooseADocument")} trigger={trigger} open={isOpen} onOpenChange={setIsOpen} align="end">
      <div className="flex flex-col gap-1">
        <Input autoFocus aria-label={t("activity.findADocument")} placeholder={t("activity.findADocument")} value={typed} onChange={(event) => setTyped(event.target.value)} />
        <Button small variant="quiet" className="justify-start" onClick={() => choose(null)}>
          {t("common.allDocuments")}
        </Button>
        {data.map((found) => (
          <Button key={found.id} small variant="quiet" className="justify-start overflow-hidden" onClick={() => choose({ id: found.id, name: found.document_name })}>
            <span className="truncate">{found.document_name}</span>
          </Button>
        ))}
      </div>
    </Popover>
  );
}

import { useQuery } from "@tanstack/react-query";

import { ErrorNote } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { api, ask } from "@/lib/api/client";
import { locale, t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

import { Card } from "../Card";

const SHOWN = 50;

/** Every picture of a page that the latest calls sent to a model: which page, how large, and to whom. */
export function SentPictures() {
  const { id } = useOrganization();
  const { data, error } = useQuery({
    queryKey: [id, "usage", "pictures"],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/payments/calls", {
          params: { path: { organization_id: id }, query: { with_pictures: true, limit: SHOWN } },
        }),
      ),
  });
  if (error) return <ErrorNote what={t("usage.thePicturesCannotBeShown")} error={error} />;
  if (!data?.calls.length) return null;
  return (
    <Card title={t("usage.picturesSentToModels")} about={t("usage.ofTheLatestCalls", { count: SHOWN })}>
      <Table label={t("usage.picturesSentToModels")}>
        <thead>
          <tr>
            <Th>{t("usage.sentAt")}</Th>
            <Th>{t("usage.sentTo")}</Th>
            <Th>{t("common.document")}</Th>
            <Th className="text-right">{t("usage.page")}</Th>
            <Th className="text-right max-sm:hidden">{t("usage.sizeInPixels")}</Th>
          </tr>
        </thead>
        <tbody>
          {data.calls.flatMap((call, at) =>
            (call.pictures ?? []).map((picture, number) => (
              <Tr key={`${at} ${number}`}>
                <Td>{new Date(call.created_at).toLocaleString(locale())}</Td>
                <Td>{[call.provider, call.model].filter(Boolean).join(", ")}</Td>
                <Td className="font-mono text-sm">{picture.document_id}</Td>
                <Td className="text-right">{picture.region ? t("usage.partOfPage", { page: picture.page }) : picture.page}</Td>
                <Td className="text-right max-sm:hidden">{`${picture.width} × ${picture.height}`}</Td>
              </Tr>
            )),
          )}
        </tbody>
      </Table>
    </Card>
  );
}

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { noteCorrection } from "@/lib/corrections";
import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

type PointedPlace = Schemas["PointedPlaceOut"];

export type Sheet = Schemas["SheetOut"];
export type SheetColumn = Schemas["ColumnOut"];
export type SheetRow = Schemas["SheetRowOut"];
export type SheetCell = Schemas["CellOut"];

/** What is asked of a sheet, as parameters of the API. */
export interface SheetQuery {
  skip: number;
  limit: number;
  name_search?: string;
  sort?: string;
  filters?: string;
  unfold?: string;
}

/** A part of the results of one prompt, a row for each document. */
export function useSheet(promptId: string, query: SheetQuery) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.sheets(id), promptId, query],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/sheets/{prompt_id}", {
          params: { path: { organization_id: id, prompt_id: promptId }, query },
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** Columns or a sum of a sheet as markdown that stays bound to it. */
export async function fetchSheetMarkdown(organization_id: string, prompt_id: string, query: { column: string[]; form: "rows" | "sum"; caption?: string }): Promise<string> {
  const params = { path: { organization_id, prompt_id }, query };
  return (await ask(api.GET("/v0/orgs/{organization_id}/sheets/{prompt_id}/markdown", { params }))).markdown;
}

export interface FileForm {
  format: "xlsx" | "csv" | "jsonl" | "parquet";
  /** The decimal mark of a CSV file for people. */
  decimal?: Decimal;
  pictures?: boolean;
  language: string;
}

export type Decimal = "." | ",";

/** The address of the sheet as a file. */
export function exportAddress(organizationId: string, promptId: string, { format, decimal, pictures, language }: FileForm, query: Partial<SheetQuery>): string {
  const params = new URLSearchParams({ format, language });
  if (decimal) params.set("decimal", decimal);
  if (pictures) params.set("pictures", "true");
  for (const name of ["name_search", "sort", "filters"] as const) {
    const value = query[name];
    if (value) params.set(name, value);
  }
  return `/v0/orgs/${organizationId}/sheets/${promptId}/export?${params}`;
}

export type ColumnChoice = Schemas["ColumnChoiceIn"];

/** Remembers order, names and decimal mark of a sheet, for everybody. */
export function useSetTemplate(promptId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { columns: ColumnChoice[]; decimal: Decimal | "" }) =>
      ask(api.PUT("/v0/orgs/{organization_id}/sheets/{prompt_id}/template", { params: { path: { organization_id: id, prompt_id: promptId } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.sheets(id) }),
  });
}

/** The place of a cell in the result of its document. */
export interface CellPlace {
  documentId: string;
  promptRevid: string;
  path: string;
}

/** Edits and verifies single values; the sheet is fetched again after each. */
export function useCellChanges() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const params = ({ documentId, promptRevid }: CellPlace) => ({
    path: { organization_id: id, document_id: documentId },
    query: { prompt_revid: promptRevid },
  });
  const refresh = async ({ documentId }: CellPlace): Promise<void> => {
    void queryClient.invalidateQueries({ queryKey: keys.results(id, documentId) });
    void queryClient.invalidateQueries({ queryKey: keys.documents(id) });
    await queryClient.invalidateQueries({ queryKey: keys.sheets(id) });
  };
  const edit = useMutation({
    mutationFn: ({ value, places = [], ...cell }: CellPlace & { value: unknown; places?: PointedPlace[] }) =>
      ask(api.PATCH("/v0/orgs/{organization_id}/llm/result/{document_id}", { params: params(cell), body: { path: cell.path, value, places } })),
    onSuccess: async (_, { documentId, promptRevid, path, value }) => {
      if (value !== null) noteCorrection({ documentId, promptRevid, path });
      await refresh({ documentId, promptRevid, path });
    },
  });
  const verify = useMutation({
    mutationFn: ({ verified, ...cell }: CellPlace & { verified: boolean }) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/llm/result/{document_id}/verify", {
          params: params(cell),
          body: { path: cell.path, verified },
        }),
      ),
    onSuccess: (_, cell) => refresh(cell),
  });
  return { edit, verify };
}

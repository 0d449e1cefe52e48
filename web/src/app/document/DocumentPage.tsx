import { useParams } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";

import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { Split } from "@/components/Split";
import { Tabs } from "@/components/Tabs";
import { PastTurn } from "@/features/agent/PastTurn";
import { DocumentBar } from "@/features/document/DocumentBar";
import { hasPages, NotReadable } from "@/features/document/NotReadable";
import { ExtractionPanel } from "@/features/extraction/ExtractionPanel";
import { FormsTab } from "@/features/forms/FormsTab";
import { ProposalBanner } from "@/features/proposals/ProposalBanner";
import { Viewer } from "@/features/viewer/Viewer";
import { pdfAddress } from "@/features/viewer/usePdf";
import { useDocument, useFacts, useReading } from "@/lib/api/documents";
import { ApiError } from "@/lib/api/errors";
import { useProposal, useProposalActions, useProposedResult } from "@/lib/api/proposals";
import { useResults } from "@/lib/api/results";
import { blankPages } from "@/lib/documentState";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";
import { useOrganization, useOrgPath } from "@/lib/organization";
import { useAgentHidden } from "@/lib/preferences";
import { useRemembered } from "@/lib/remembered";
import { useTitle } from "@/lib/title";
import { useIsNarrow } from "@/lib/width";

import { useTab } from "../useTab";

import { useAgentTab } from "./useAgentTab";
import { useFieldLink } from "./useFieldLink";

export default function DocumentPage() {
  const { documentId = "" }: { documentId?: string } = useParams({ strict: false });
  const { data: document, error, refetch } = useDocument(documentId);
  useTitle(document?.document_name);
  if (error instanceof ApiError && error.status === 404) {
    return <Gone />;
  }
  if (error) return <ErrorNote className="m-4" what={t("common.theDocumentCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!document) return <Loading what={t("common.theDocument")} />;
  return <Workspace key={document.id} document={document} />;
}

function Gone() {
  const orgPath = useOrgPath();
  return (
    <EmptyState heading title={t("document.thisDocumentDoesNotExistOr")}>
      <ButtonLink variant="primary" to={orgPath("documents")}>
        {t("document.showTheDocuments")}
      </ButtonLink>
    </EmptyState>
  );
}

function Workspace({ document }: { document: Document }) {
  const { id: organizationId } = useOrganization();
  const { data: kept } = useResults(document.id);
  const { data: proposal } = useProposal(document);
  // Right after a verdict, one of the two may still be what it was before.
  const { result: proposed } = useProposedResult(document, proposal?.status === "proposed" ? proposal : {});
  const results = useMemo(() => (proposed && kept ? [proposed, ...kept] : kept), [proposed, kept]);
  const reading = useReading(document);
  const facts = useFacts(useMemo(() => [document], [document]));
  const isNarrow = useIsNarrow();
  const [password, setPassword] = useState<string>();
  const [tab, setTab] = useTab(isNarrow ? "document" : "extraction");
  const [hidesAgent] = useAgentHidden();
  // An address that names the agent still leads to it: the inbox links here.
  const hasAgent = !hidesAgent || tab === "agent";
  const [showText, setShowText] = useRemembered("document.text", false);
  const { events, view } = useFieldLink(results, useCallback(() => setTab("extraction"), [setTab]));
  const { onSelect } = events;
  const select = useCallback<typeof onSelect>(
    (field, spots) => {
      onSelect(field, spots);
      if (isNarrow && spots.length) setTab("document");
    },
    [isNarrow, onSelect, setTab],
  );
  const { retry } = useProposalActions(document.id);
  const { tab: agentTab, write } = useAgentTab(document, results, { ...events, onSelect: select, proposed });

  const viewer = (
    <>
      {document.state === "ocr_failed" && <NotReadable document={document} onPassword={setPassword} />}
      {blankPages(document) && <p className="border-b bg-surface px-3 py-2 text-sm text-muted">{blankPages(document)}</p>}
      {hasPages(document) && <Viewer
        {...view}
        documentId={document.id}
        address={pdfAddress(organizationId, document.id)}
        pageCount={document.page_count ?? 1}
        reading={reading}
        showText={showText && !isNarrow}
        password={password}
      />}
    </>
  );
  const extraction = (
    <ExtractionPanel documentId={document.id} proposed={proposed} {...events} onSelect={select} onFindValues={() => retry.mutate()} />
  );
  const tabs = [
    { value: "extraction", label: t("common.extraction"), content: extraction },
    { value: "forms", label: t("common.forms"), content: <FormsTab document={document} results={kept} /> },
    ...(hasAgent ? [agentTab] : []),
  ];
  if (isNarrow) {
    tabs.unshift({ value: "document", label: t("common.document"), content: <div className="flex h-full flex-col">{viewer}</div> });
  }
  const active = tabs.some((item) => item.value === tab) ? tab : "extraction";
  const panel = <Tabs label={t("document.partsOfTheDocument")} tabs={tabs} value={active} onChange={setTab} className="flex-1 bg-surface" />;
  return (
    <>
      <DocumentBar
        document={document}
        facts={facts.get(document.id)}
        hasResults={Boolean(kept?.length)}
        text={isNarrow ? undefined : { isShown: showText, onToggle: () => setShowText(!showText) }}
      />
      <ProposalBanner document={document} onRefine={write} show={(turn) => <PastTurn turn={turn} documentId={document.id} />} />
      {isNarrow ? panel : <Split name="document" label={t("document.widthOfThePanel")} className="flex-1" left={panel} right={viewer} />}
    </>
  );
}

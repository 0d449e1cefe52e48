import { Link } from "@tanstack/react-router";

import { useOrgPath } from "@/lib/organization";

interface WordsLinkProps {
  documentId: string;
  documentName: string;
  promptId: string;
  path: string;
}

/** One click to the words on the page that a verified value stands in. */
export function WordsLink({ documentId, documentName, promptId, path }: WordsLinkProps) {
  const orgPath = useOrgPath();
  return (
    <Link to={orgPath(`documents/${documentId}`)} search={{ tab: "extraction", prompt: promptId, field: path }} className="text-accent underline underline-offset-2 wrap-anywhere">
      {documentName}
    </Link>
  );
}

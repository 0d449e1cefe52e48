/** What the server reads: `MIME_TYPES` in src/docagent/domain/documents/documents.py. */
export const READABLE = ".pdf,.docx,.doc,.csv,.xls,.xlsx,.txt,.md,.jpg,.jpeg,.png,.gif,.webp,.bmp,.tiff,.tif";
export const READABLE_SAID = "PDF, Word, Excel, text and pictures";

/** Why the server would refuse a file by its name, or null: it is told before the file is sent. */
export function whyUnreadable(name: string): string | null {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && dot < name.length - 1 ? name.slice(dot).toLowerCase() : "";
  if (READABLE.split(",").includes(extension)) return null;
  const kind = extension ? `Files that end in ${extension}` : "Files without an ending";
  return `${kind} cannot be read. What can be read: ${READABLE_SAID}.`;
}

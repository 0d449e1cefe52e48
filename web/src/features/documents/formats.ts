/** Written by `make docs` from src/docagent/domain/documents/formats.py. */
export const READABLE = ".pdf,.docx,.doc,.csv,.xls,.xlsx,.txt,.md,.jpg,.jpeg,.png,.gif,.webp,.bmp,.tiff,.tif";
export const READABLE_SAID = "PDF, Word, Excel, text and pictures";

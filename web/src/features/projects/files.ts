/** A file to be imported, and its path below the folder that was chosen or dropped. */
export interface PathedFile {
  path: string;
  file: Blob;
}

const READ = /\.(md|markdown|txt|zip)$/i;
const HIDDEN = /(^|\/)(\.|__MACOSX(\/|$))/;
/** One more than the server takes, so that it says so. */
const MOST_FILES = 1001;

/** Files as a field gives them; one that is never read is sent by its path alone, to be told why. */
export function pathed(files: Iterable<File>): PathedFile[] {
  return [...files].map((file) => withPath(file.webkitRelativePath || file.name, file)).filter(isWanted);
}

function withPath(path: string, file: File): PathedFile {
  return { path, file: READ.test(path) ? file : new Blob() };
}

function isWanted({ path }: PathedFile): boolean {
  return !HIDDEN.test(path);
}

/** What was dropped, folders with all that is in them. It must be asked for while the drop is handled. */
export async function dropped(items: DataTransferItemList): Promise<PathedFile[]> {
  const entries: FileSystemEntry[] = [];
  const loose: File[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    const file = entry ? null : item.getAsFile();
    if (entry) entries.push(entry);
    if (file) loose.push(file);
  }
  return [...(await walked(entries)), ...pathed(loose)];
}

async function walked(entries: FileSystemEntry[]): Promise<PathedFile[]> {
  const found: PathedFile[] = [];
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry && found.length < MOST_FILES; entry = waiting.shift()) {
    const path = entry.fullPath.replace(/^\//, "");
    if (HIDDEN.test(path)) continue;
    if (isFolder(entry)) waiting.push(...(await childrenOf(entry)));
    else found.push(withPath(path, await fileOf(entry as FileSystemFileEntry)));
  }
  return found;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    // Browsers give a hundred or so at a time, and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return found;
    found.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((done, failed) => entry.file(done, failed));
}

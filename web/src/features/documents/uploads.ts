import type { Schemas } from "@/lib/api/client";
import { ApiError, apiError, messageOf } from "@/lib/api/errors";
import { currentToken, forget } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { Store, useStore } from "@/lib/store";
import { toast } from "@/lib/toasts";

import { whyUnreadable } from "./readable";

export interface Upload {
  id: number;
  organizationId: string;
  name: string;
  size: number;
  sent: number;
  state: "waiting" | "sending" | "failed";
  error: string | null;
  canTryAgain: boolean;
}

/** What is to be done with the files of one upload. */
export interface UploadWishes {
  tagIds: string[];
  /** The agent prepares a proposal once the text is read. Said either way, whatever the organisation's default is. */
  autoCreate: boolean;
}

interface Waiting {
  file: File;
  wishes: UploadWishes;
  onStored: () => void;
}

type Uploaded = Schemas["UploadOut"]["document"];

const AT_ONCE = 2;
const uploads = new Store<Upload[]>([]);
const waiting = new Map<number, Waiting>();
const sending = new Map<number, XMLHttpRequest | null>();
let last = 0;

/** Uploads of an organisation that are not done: they go on while the user looks at other pages. */
export function useUploads(organizationId: string): Upload[] {
  return useStore(uploads).filter((upload) => upload.organizationId === organizationId);
}

/** Queue files; each is told about by itself, so one bad file does not hold up the others. */
export function upload(organizationId: string, files: File[], wishes: UploadWishes, onStored: () => void): void {
  for (const file of files) {
    const id = ++last;
    const { name, size } = file;
    const error = whyUnreadable(name);
    const state = error ? "failed" : "waiting";
    if (!error) waiting.set(id, { file, wishes, onStored });
    uploads.update((all) => [...all, { id, organizationId, name, size, sent: 0, state, error, canTryAgain: !error }]);
  }
  next();
}

export function retry(id: number): void {
  change(id, { state: "waiting", error: null, sent: 0 });
  next();
}

/** Stop an upload, or take a failed one off the list. */
export function discard(id: number): void {
  sending.get(id)?.abort();
  sending.delete(id);
  waiting.delete(id);
  uploads.update((all) => all.filter((upload) => upload.id !== id));
  next();
}

function next(): void {
  for (const item of uploads.get()) {
    if (sending.size >= AT_ONCE) return;
    if (item.state === "waiting") void run(item);
  }
}

async function run(item: Upload): Promise<void> {
  const task = waiting.get(item.id);
  if (!task) return;
  sending.set(item.id, null);
  change(item.id, { state: "sending" });
  try {
    const stored = await send(item, task);
    if (stored.duplicate_of.length) toast(t("documents.nameHasTheSameContentAs", { name: item.name }));
    sending.delete(item.id);
    discard(item.id);
    task.onStored();
  } catch (error) {
    sending.delete(item.id);
    change(item.id, { state: "failed", error: messageOf(error) });
    next();
  }
}

async function send(item: Upload, task: Waiting, again = true): Promise<Uploaded> {
  const token = await currentToken();
  const answer = await post(item, task, token);
  if (answer.status === 401 && again) {
    forget(token);
    return send(item, task, false);
  }
  const body = parsed(answer.responseText);
  if (answer.status !== 200) throw apiError(answer.status, body);
  return (body as Schemas["UploadOut"]).document;
}

/** XMLHttpRequest, because fetch does not tell how much of a body was sent. */
function post(item: Upload, task: Waiting, token: string): Promise<XMLHttpRequest> {
  const form = new FormData();
  form.append("name", task.file.name);
  form.append("tag_ids", JSON.stringify(task.wishes.tagIds));
  form.append("auto_create", String(task.wishes.autoCreate));
  form.append("file", task.file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    sending.set(item.id, request);
    request.open("POST", `/v0/orgs/${item.organizationId}/documents/multipart`);
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.onprogress = (event) => change(item.id, { sent: Math.min(item.size, event.loaded) });
    request.onload = () => resolve(request);
    request.onerror = () => reject(new ApiError(0, t("documents.theConnectionWasLostTheFile")));
    request.send(form);
  });
}

function change(id: number, part: Partial<Upload>): void {
  uploads.update((all) => all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

import { authorised } from "@/lib/api/client";
import { apiError } from "@/lib/api/errors";
import { bodyOf } from "@/lib/api/session";

/** Fetch a file with the session and hand it to the browser under its name. */
export async function download(url: string, name: string, init?: RequestInit): Promise<void> {
  const answer = await authorised(new URL(url, location.origin).href, init);
  if (!answer.ok) throw apiError(answer.status, await bodyOf(answer));
  saveAs(await answer.blob(), name);
}

export function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

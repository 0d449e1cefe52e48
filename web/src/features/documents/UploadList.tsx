import { RotateCw, X } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Progress } from "@/components/Progress";
import { fileSize } from "@/lib/format";
import { t } from "@/lib/i18n";

import { discard, retry } from "./uploads";

import type { Upload } from "./uploads";

/** Files on their way, each with its progress or with what is wrong with it. */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  if (!uploads.length) return null;
  const failed = uploads.filter((upload) => upload.state === "failed").length;
  const going = uploads.length - failed;
  const parts = [going && t("documents.uploadingCountFile", { going }), failed && t("documents.countFileNotUploaded", { failed })];
  return (
    <section aria-label={t("documents.uploads")} className="rounded-lg border bg-surface">
      <p role="status" className="border-b px-3 py-2 text-sm font-medium">
        {parts.filter(Boolean).join(", ")}
      </p>
      <ul className="max-h-64 divide-y overflow-y-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  const isSending = upload.state === "sending";
  const told = isSending ? t("documents.sentOfSize", { sent: fileSize(upload.sent), size: fileSize(upload.size) }) : t("documents.waiting");
  return (
    <li className="flex items-center gap-3 py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-2">
          <span className="truncate">{upload.name}</span>
          {upload.state !== "failed" && <span className="shrink-0 text-sm text-muted">{told}</span>}
        </div>
        {upload.state === "failed" ? (
          <p role="alert" className="text-sm wrap-anywhere text-bad">
            {upload.error}
          </p>
        ) : (
          <Progress hideLabel label={`${upload.name}: ${told}`} value={upload.sent} max={upload.size} />
        )}
      </div>
      {upload.state === "failed" && upload.canTryAgain && (
        <IconButton small icon={RotateCw} label={t("documents.tryNameAgain", { name: upload.name })} onClick={() => retry(upload.id)} />
      )}
      <IconButton
        small
        icon={X}
        label={upload.state === "failed" ? t("documents.dismissName", { name: upload.name }) : t("documents.stopName", { name: upload.name })}
        onClick={() => discard(upload.id)}
      />
    </li>
  );
}

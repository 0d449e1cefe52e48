import { Pencil } from "lucide-react";

import { IconButton } from "@/components/Button";
import { clock } from "@/lib/agent/words";
import { t } from "@/lib/i18n";

interface UserMessageProps {
  text: string;
  at: string | null;
  /** Said while the agent worked. */
  steered?: boolean;
  note?: string;
  editBlocked?: string | false;
  onEdit?: () => void;
}

export function UserMessage({ text, at, steered, note, editBlocked, onEdit }: UserMessageProps) {
  return (
    <div className="group/message flex items-start gap-1 rounded-lg bg-sunken py-2 pr-1 pl-3">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
        {(steered || note) && <p className="text-xs text-muted">{note ?? t("agent.saidWhileTheAgentWorked")}</p>}
      </div>
      {at && (
        <time dateTime={at} className="mt-0.5 text-xs text-muted">
          {clock(at)}
        </time>
      )}
      {onEdit && (
        <IconButton
          small
          icon={Pencil}
          label={t("agent.editAndSendAgain")}
          disabledBecause={editBlocked}
          onClick={onEdit}
          className="-my-1 opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100"
        />
      )}
    </div>
  );
}

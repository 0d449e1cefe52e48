import { useNameOf } from "@/lib/api/members";
import { useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";

interface Made {
  author: "user" | "agent";
  created_by: string;
}

/** Who made a version, in a word or two. */
export function useWho(): (made: Made) => string {
  const { id } = useUser();
  const nameOf = useNameOf();
  return ({ author, created_by: by }) => {
    if (author === "agent") return t("projects.theAgent");
    return by === id ? t("projects.you") : nameOf(by) || t("projects.somebody");
  };
}

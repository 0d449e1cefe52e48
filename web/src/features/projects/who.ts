import { useNameOf } from "@/lib/api/members";
import { useUser } from "@/lib/api/session";

interface Made {
  author: "user" | "agent";
  created_by: string;
}

/** Who made a version, in a word or two. */
export function useWho(): (made: Made) => string {
  const { id } = useUser();
  const nameOf = useNameOf();
  return ({ author, created_by: by }) => {
    if (author === "agent") return "the agent";
    return by === id ? "you" : nameOf(by) || "somebody";
  };
}

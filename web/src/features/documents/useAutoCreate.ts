import { useOrganization } from "@/lib/organization";
import { useRemembered } from "@/lib/remembered";

/** Whether the agent finds the values of what is added here: it does, until the user wants it otherwise. */
export function useAutoCreate(): [boolean, (wanted: boolean) => void] {
  const { id } = useOrganization();
  return useRemembered(`upload.autoCreate.${id}`, true);
}

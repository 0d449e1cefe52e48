import { useOrganization } from "@/lib/organization";
import { useRemembered } from "@/lib/remembered";

/** Whether the agent prepares what is uploaded: as the organisation does it, unless the user wants it otherwise here. */
export function useAutoCreate(): [boolean, (wanted: boolean) => void] {
  const { id, auto_create_default: byDefault } = useOrganization();
  const [own, setOwn] = useRemembered<boolean | null>(`upload.autoCreate.${id}`, null);
  return [own ?? byDefault, (wanted) => setOwn(wanted === byDefault ? null : wanted)];
}

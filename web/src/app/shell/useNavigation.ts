import type { Page } from "@/lib/pages";
import { useRights } from "@/lib/rights";

import { PAGES } from "../pages";

/** The pages that the palette leads the signed-in user to. */
export function useNavigation(): Page[] {
  const { isAdmin } = useRights();
  return PAGES.filter((page) => page.nav && (isAdmin || !page.nav.adminsOnly));
}

import type { Page } from "@/lib/pages";
import { useRights } from "@/lib/rights";

import { PAGES } from "../pages";

const LISTED = PAGES.filter((page) => page.nav).sort((a, b) => (a.nav?.order ?? 0) - (b.nav?.order ?? 0));

/** The pages that the signed-in user is offered, in their order. */
export function useNavigation(): Page[] {
  const { isAdmin } = useRights();
  return isAdmin ? LISTED : LISTED.filter((page) => !page.nav?.adminsOnly);
}

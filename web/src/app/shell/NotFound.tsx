import { Link } from "@tanstack/react-router";

import { EmptyState } from "@/components/Notes";
import { t } from "@/lib/i18n";
import { useTitle } from "@/lib/title";

import { BarePage } from "./BarePage";

/** In the frame of an organisation. */
export function NotFound() {
  useTitle(t("common.notFound"));
  return (
    <EmptyState heading title={t("shell.thereIsNoPageAtThis")}>
      <Link to="/" className="text-accent underline">
        {t("common.goToTheStart")}
      </Link>
    </EmptyState>
  );
}

/** Where there is no organisation to frame it. */
export function BareNotFound() {
  return (
    <BarePage>
      <NotFound />
    </BarePage>
  );
}

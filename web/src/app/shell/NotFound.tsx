import { Link } from "@tanstack/react-router";

import { EmptyState } from "@/components/Notes";
import { useTitle } from "@/lib/title";

import { BarePage } from "./BarePage";

/** In the frame of an organisation. */
export function NotFound() {
  useTitle("Not found");
  return (
    <EmptyState heading title="There is no page at this address.">
      <Link to="/" className="text-accent underline">
        Go to the start
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

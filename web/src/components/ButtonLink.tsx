import { Link } from "@tanstack/react-router";

import { cx } from "@/lib/cx";

import { buttonLook } from "./Button";

import type { ButtonVariant } from "./Button";
import type { ReactNode } from "react";

interface ButtonLinkProps {
  to: string;
  search?: Record<string, string>;
  variant?: ButtonVariant;
  small?: boolean;
  children: ReactNode;
}

/** A next step that is another page. */
export function ButtonLink({ to, search, variant, small, children }: ButtonLinkProps) {
  return (
    <Link to={to} search={search} className={cx(buttonLook(variant, small))}>
      {children}
    </Link>
  );
}

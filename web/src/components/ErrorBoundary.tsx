import { Component } from "react";

import { t } from "@/lib/i18n";

import { Button } from "./Button";
import { ErrorNote } from "./Notes";

import type { ReactNode } from "react";

interface Props {
  /** What broke, as a noun: "This page". */
  what: string;
  children: ReactNode;
}

/** Keeps a broken part from taking the rest with it, and offers ways out. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <div className="mx-auto flex max-w-xl flex-col items-start gap-3 p-4">
        <ErrorNote error={this.state.error} what={t("components.whatCannotBeShown", { what: this.props.what })} />
        <div className="flex gap-2">
          <Button variant="primary" onClick={() => this.setState({ error: null })}>
            {t("common.tryAgain")}
          </Button>
          <Button onClick={() => location.assign("/")}>{t("common.goToTheStart")}</Button>
        </div>
      </div>
    );
  }
}

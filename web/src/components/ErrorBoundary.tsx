import { Component } from "react";

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
        <ErrorNote error={this.state.error} what={`${this.props.what} cannot be shown.`} />
        <div className="flex gap-2">
          <Button variant="primary" onClick={() => this.setState({ error: null })}>
            Try again
          </Button>
          <Button onClick={() => location.assign("/")}>Go to the start</Button>
        </div>
      </div>
    );
  }
}

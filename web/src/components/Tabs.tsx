import { Tabs as Radix } from "radix-ui";

import { cx } from "@/lib/cx";

import type { ReactNode } from "react";

interface Tab {
  value: string;
  label: string;
  /** A count or a word that belongs to the tab, such as "1 waits". */
  note?: ReactNode;
  content: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: Tab[];
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

/** Tabs that keep their panel's scroll to themselves; arrow keys move between them. */
export function Tabs({ label, tabs, value, onChange, className }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className={cx("flex min-h-0 flex-col", className)}>
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b px-2">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={
              "-mb-px flex h-9 items-center gap-1.5 border-b-2 border-transparent px-2 whitespace-nowrap text-muted " +
              "hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink " +
              "data-[state=active]:font-medium focus-visible:-outline-offset-2"
            }
          >
            {tab.label}
            {tab.note}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

import { Split } from "@/components/Split";
import { Tabs } from "@/components/Tabs";
import { t } from "@/lib/i18n";
import { useIsNarrow } from "@/lib/width";

import type { ComponentProps } from "react";

export type Tab = ComponentProps<typeof Tabs>["tabs"][number];

interface EditorPanesProps {
  noun: string;
  /** What is edited: the left pane, or the first tab where there is no room for two. */
  main: Tab;
  /** What belongs to it; without any, the main pane has the whole width. */
  tabs: Tab[];
  /** The tab that is shown. */
  shown: string;
  onShow: (value: string) => void;
}

/** Two panes beside each other, or one after the other on a narrow window. */
export function EditorPanes({ noun, main, tabs, shown, onShow }: EditorPanesProps) {
  const isNarrow = useIsNarrow();
  const label = t("versioned.partsOfTheNoun", { noun });
  const left = <div className="min-h-0 flex-1 overflow-y-auto">{main.content}</div>;
  const [first] = tabs;
  if (!first) return left;
  if (isNarrow) return <Tabs label={label} className="flex-1" value={shown} onChange={onShow} tabs={[main, ...tabs]} />;
  const beside = shown === main.value ? first.value : shown;
  return (
    <Split
      name={noun}
      label={t("versioned.widthOfTheNoun", { noun })}
      initial={56}
      min={35}
      className="flex-1"
      left={left}
      right={<Tabs label={label} className="flex-1" value={beside} onChange={onShow} tabs={tabs} />}
    />
  );
}

import { Dialog } from "@/components/Dialog";
import { Kbd } from "@/components/Kbd";
import { t } from "@/lib/i18n";
import { useAllShortcuts, useShortcut } from "@/lib/shortcuts";
import { useStore } from "@/lib/store";

import { helpOpen, openHelp } from "./panels";

/** The keys that work on the page that is shown. */
export function HelpSheet() {
  const open = useStore(helpOpen);
  const shortcuts = useAllShortcuts();
  useShortcut({ keys: "?", does: t("shell.showThisSheet"), group: t("common.everywhere") }, openHelp);
  const groups = [...new Set(shortcuts.map((shortcut) => shortcut.group))];
  return (
    <Dialog open={open} onClose={() => helpOpen.set(false)} title={t("shell.keys")}>
      <div className="flex flex-col gap-4">
        {groups.map((group) => (
          <section key={group}>
            <h3 className="mb-1 text-sm text-muted">{group}</h3>
            <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1">
              {shortcuts
                .filter((shortcut) => shortcut.group === group)
                .map((shortcut) => (
                  <div key={shortcut.keys + shortcut.does} className="contents">
                    <dt className="min-w-16">
                      <Kbd keys={shortcut.keys} />
                    </dt>
                    <dd>{shortcut.does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

import { Link } from "@tanstack/react-router";

import { Chart } from "@/components/Chart";
import type { Measured } from "@/lib/api/home";
import { percent } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import { accuraciesOf } from "./figures";

/** How right each prompt was from version to version; nothing as long as nothing was measured. */
export function Accuracy({ runs }: { runs: readonly Measured[] }) {
  const orgPath = useOrgPath();
  const measured = accuraciesOf(runs);
  if (!measured.length) return null;
  return (
    <section aria-labelledby="accuracy" className="flex flex-col gap-2">
      <h2 id="accuracy" className="text-base">
        {t("home.accuracyOverVersions")}
      </h2>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,24rem),1fr))] gap-3">
        {measured.map(({ promptId, name, points }) => (
          <div key={promptId} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
            <h3 className="flex items-baseline justify-between gap-2 text-base font-medium">
              <Link to={orgPath(`prompts/${promptId}/accuracy`)} className="wrap-anywhere hover:underline">
                {name}
              </Link>
              <span className="tabular-nums">{percent(points.at(-1)?.value)}</span>
            </h3>
            <Chart
              kind="line"
              title={t("home.accuracyOfName", { name })}
              told={t("home.accuracyOfNameNow", { name, now: percent(points.at(-1)?.value), count: points.length })}
              heads={[t("common.version"), t("common.accuracy")]}
              points={points}
              write={percent}
              left={52}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

import { t } from "@/lib/i18n";
import { tryAgain, usePartTrouble } from "@/lib/parts";

import { Button } from "./Button";
import { Loading } from "./Notes";

interface LoadingPartProps {
  what: string;
  /** It is all that the page shows, and so its heading. */
  heading?: boolean;
}

/** Instead of a part of the client that is being fetched: what is awaited, or why it does not come. */
export function LoadingPart({ what, heading }: LoadingPartProps) {
  const trouble = usePartTrouble();
  if (!trouble) return <Loading what={what} />;
  const isAway = trouble === "away";
  const Title = heading ? "h1" : "p";
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-start gap-3 p-4">
      <Title className="text-lg font-medium">{isAway ? t("components.theServerCannotBeReached") : t("components.docagentWasUpdatedOnTheServer")}</Title>
      <p>
        {isAway ? t("components.withoutItWhatCannotBeLoaded", { what }) : t("components.reloadThePageToSeeWhat", { what })}
      </p>
      {isAway ? (
        <Button variant="primary" onClick={tryAgain}>
          {t("common.tryAgain")}
        </Button>
      ) : (
        <Button variant="primary" onClick={() => location.reload()}>
          {t("components.reloadThePage")}
        </Button>
      )}
    </div>
  );
}

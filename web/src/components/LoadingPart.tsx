import { tryAgain, usePartTrouble } from "@/lib/parts";

import { Button } from "./Button";
import { Loading } from "./Notes";

/** Instead of a part of the client that is being fetched: what is awaited, or why it does not come. */
export function LoadingPart({ what }: { what: string }) {
  const trouble = usePartTrouble();
  if (!trouble) return <Loading what={what} />;
  const isAway = trouble === "away";
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-start gap-3 p-4">
      <p>
        {isAway
          ? `The server cannot be reached, so ${what} cannot be loaded. It comes by itself as soon as the server is back.`
          : `docagent was updated on the server, so ${what} must be loaded anew.`}{" "}
        What you typed is kept.
      </p>
      {isAway ? (
        <Button variant="primary" onClick={tryAgain}>
          Try again
        </Button>
      ) : (
        <Button variant="primary" onClick={() => location.reload()}>
          Load the page anew
        </Button>
      )}
    </div>
  );
}

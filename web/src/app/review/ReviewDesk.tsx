import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";

import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { Kbd } from "@/components/Kbd";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PaperBelow } from "@/components/PaperBelow";
import { Split } from "@/components/Split";
import { Thread } from "@/components/Thread";
import { ResultFields } from "@/features/extraction/ResultFields";
import { groundingAt } from "@/features/extraction/grounding";
import type { Grounding } from "@/features/extraction/grounding";
import { fieldsOf } from "@/features/extraction/tree";
import { useResultChanges } from "@/features/extraction/useExtraction";
import { nextDoubt, placeWords } from "@/features/review/sitting";
import { useSitting } from "@/features/review/useSitting";
import { PagesAhead } from "@/features/viewer/PagesAhead";
import type { Result } from "@/lib/api/results";
import { useReviewQueues, useSetPolicy, useThreshold } from "@/lib/api/review";
import type { Assignment, Doubt } from "@/lib/api/review";
import { nameOf } from "@/lib/fieldPath";
import { quoted, words } from "@/lib/format";
import { rich, t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import type { Spot } from "@/lib/places";
import { useShortcut } from "@/lib/shortcuts";
import { useTitle } from "@/lib/title";
import { useIsNarrow } from "@/lib/width";

import { DocumentPages } from "../sheet/CellOnPage";

const group = (): string => t("common.review");
const NO_SPOTS: Spot[] = [];

/** The queue of one prompt: one document at a time, one doubtful value at a time, the page beside it. */
export default function ReviewDesk() {
  const { promptId = "" }: { promptId?: string } = useParams({ strict: false });
  const [sitting, setSitting] = useState(0);
  return <Queue key={`${promptId} ${sitting}`} promptId={promptId} onBegin={() => setSitting(sitting + 1)} />;
}

/** The end of the queue: on to the sheet, or, where nobody looks at doubtful values yet, the button that changes that. */
function NothingWaits({ promptId, onBegin }: { promptId: string; onBegin: () => void }) {
  const orgPath = useOrgPath();
  const set = useSetPolicy();
  const queue = useReviewQueues().data?.find((one) => one.prompt_id === promptId);
  if (queue?.mode !== "nothing") {
    return (
      <EmptyState title={t("review.nothingIsLeftToCheck")}>
        <ButtonLink variant="primary" to={orgPath(`sheets/${promptId}`)}>
          {t("thread.openTheSheets", { count: 1 })}
        </ButtonLink>
      </EmptyState>
    );
  }
  const begin = (): void => set.mutate({ promptId, mode: "doubtful", threshold: queue.threshold, sample_percent: queue.sample_percent }, { onSuccess: onBegin });
  return (
    <EmptyState title={t("review.reviewIsOffForThisPrompt")}>
      <Button variant="primary" busy={set.isPending && t("common.starting")} onClick={begin}>
        {t("review.checkTheDoubtfulValues")}
      </Button>
      {set.error && <ErrorNote what={t("common.couldNotSaveThis")} error={set.error} />}
    </EmptyState>
  );
}

function Queue({ promptId, onBegin }: { promptId: string; onBegin: () => void }) {
  const orgPath = useOrgPath();
  const desk = useSitting(promptId);
  const { current, ahead, made } = desk.sitting;
  useTitle(t("common.review"));
  const canUndo = made.length > 0;
  useShortcut({ keys: "u", does: t("review.undoTheLastChange"), group: group() }, () => void desk.undo(), canUndo);
  const undo = (
    <Button small disabledBecause={!canUndo && t("review.nothingWasChangedYet")} onClick={() => void desk.undo()}>
      {t("common.undo")}{" "}<Kbd keys="u" />
    </Button>
  );
  return (
    <>
      <Thread />
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-1.5 sm:px-4">
        <h1 className="flex min-w-0 gap-2 text-base font-normal">
          <Link to={orgPath("review")} className="text-muted hover:underline">
            {t("common.review")}
          </Link>
          {current && (
            <>
              <span aria-hidden className="text-muted">
                /
              </span>
              <span className="truncate font-medium">{current.document_name}</span>
            </>
          )}
        </h1>
        {current && (
          <p role="status" className="text-sm text-muted">
            {placeWords(desk.sitting, current)}
          </p>
        )}
        {current && <DeskKeys desk={desk} />}
        {(current || canUndo) && undo}
      </header>
      {desk.error !== null && <ErrorNote className="m-2" error={desk.error} onDismiss={desk.dismiss} />}
      {current === undefined && desk.error === null && <Loading what={t("review.theNextDocument")} />}
      {current === null && <NothingWaits promptId={promptId} onBegin={onBegin} />}
      {current && <Document key={current.document_id} current={current} onChanged={desk.changed} />}
      {ahead && <PagesAhead key={ahead.document_id} documentId={ahead.document_id} page={firstPage(ahead)} />}
    </>
  );
}

/** What can be said of the document as a whole. */
function DeskKeys({ desk }: { desk: ReturnType<typeof useSitting> }) {
  useShortcut({ keys: "d", does: t("review.acceptAndContinue"), group: group() }, () => void desk.conclude("accept"));
  useShortcut({ keys: "r", does: t("review.rejectAndContinue"), group: group() }, () => void desk.conclude("reject"));
  useShortcut({ keys: "s", does: t("review.skip"), group: group() }, () => void desk.pass());
  return (
    <div className="ml-auto flex flex-wrap gap-2">
      <Button small variant="primary" busy={desk.isBusy && t("common.saving")} onClick={() => void desk.conclude("accept")}>
        {t("review.acceptDocument")}{" "}<Kbd keys="d" />
      </Button>
      <Button small onClick={() => void desk.conclude("reject")}>
        {t("common.reject")}{" "}<Kbd keys="r" />
      </Button>
      <Button small onClick={() => void desk.pass()}>
        {t("review.skip")}{" "}<Kbd keys="s" />
      </Button>
    </div>
  );
}

interface DocumentProps {
  current: Assignment;
  onChanged: (documentId: string, before: number, revision: number) => void;
}

function Document({ current, onChanged }: DocumentProps) {
  const isNarrow = useIsNarrow();
  const { document_id: documentId, doubts, json_schema, result: plain } = current;
  const result = useMemo<Result>(() => ({ ...plain, json_schema, prompt_name: "" }), [plain, json_schema]);
  const [path, setChosen] = useState<string | null>(() => nextDoubt(current, null));
  const [candidate, setCandidate] = useState(0);
  const [pointed, setPointed] = useState<Spot[]>(NO_SPOTS);
  const doubt = doubts.find((one) => one.path === path);
  const places = useMemo(() => placesOf(result, path), [result, path]);
  const lit = pointed.length ? pointed : (places[candidate % Math.max(1, places.length)]?.spots ?? NO_SPOTS);
  const changes = useResultChanges(documentId, result.prompt_revid);
  const threshold = useThreshold(result.prompt_id);
  const { edit, verify } = changes;

  const choose = (next: string | null): void => {
    setChosen(next);
    setCandidate(0);
  };
  const made = Math.max(edit.data?.revision ?? 0, verify.data?.revision ?? 0);
  useEffect(() => {
    if (made > plain.revision) onChanged(documentId, plain.revision, made);
  }, [made, plain.revision, documentId, onChanged]);
  // What was doubtful a moment ago and is settled now leads to the next doubt, before another key can be pressed.
  const [before, setBefore] = useState(doubts);
  if (before !== doubts) {
    setBefore(doubts);
    const isAt = (one: Doubt): boolean => one.path === path;
    if (before.some(isAt) && !doubts.some(isAt)) setChosen(nextDoubt(current, null));
  }

  const accept = (): void => {
    if (doubt && !verify.isPending) verify.mutate({ path: doubt.path, verified: true });
  };
  useShortcut({ keys: "n", does: t("review.nextDoubtfulValue"), group: group() }, () => choose(nextDoubt(current, path)));
  useShortcut({ keys: "a", does: t("review.acceptTheValue"), group: group() }, accept);
  useShortcut({ keys: "c", does: t("review.nextPlaceWhereTheValueStands"), group: group() }, () => setCandidate(candidate + 1), places.length > 1);

  const selected = path === null ? null : { promptRevid: result.prompt_revid, path };
  const fields = (
    <div className="min-h-0 flex-1 scroll-pt-16 overflow-y-auto p-3 pt-0 sm:px-4 low:flex-none low:overflow-visible">
      <div className="h-3" />
      {doubt && (
        <DoubtNote
          doubt={doubt}
          shown={placeShown(places, candidate)}
          rivals={rivalsOf(result, doubt.path)}
          onTake={(value) => edit.mutate({ path: doubt.path, value })}
          onAccept={accept}
          onNext={() => choose(nextDoubt(current, path))}
        />
      )}
      <ResultFields
        result={result}
        nodes={fieldsOf(result, threshold)}
        changes={changes}
        selected={selected}
        isPicked
        onSelect={(field) => choose(field.path)}
        onHover={setPointed}
      />
    </div>
  );
  if (isNarrow) {
    return (
      <>
        {fields}
        <PaperBelow>
          <DocumentPages documentId={documentId} spots={lit} isClose />
        </PaperBelow>
      </>
    );
  }
  return (
    <Split name="review" label={t("review.widthOfTheValues")} initial={38} className="flex-1" left={fields} right={<DocumentPages documentId={documentId} spots={lit} />} />
  );
}

interface DoubtNoteProps {
  doubt: Doubt;
  /** Which of several places is lit; nothing if there is only one. */
  shown: string;
  /** What another reader of the page made of the value. */
  rivals: (string | number)[];
  onTake: (value: string | number) => void;
  onAccept: () => void;
  onNext: () => void;
}

/** The value that is looked at: why it is doubtful, and what can be done. */
function DoubtNote({ doubt, shown, rivals, onTake, onAccept, onNext }: DoubtNoteProps) {
  const name = words(nameOf(doubt.path));
  return (
    <section aria-label={t("review.doubtfulValue")} className="sticky top-0 z-10 mb-3 flex flex-wrap items-center gap-2 rounded-md border border-warm-line bg-warm-soft p-2">
      <p className="min-w-40 flex-1">
        <span className="font-medium">{name}</span>: {why(doubt)}
        {shown && (
          <>
            {" "}
            {rich("review.shownKbdShowsTheNext", { shown, kbd: <Kbd keys="c" /> })}
          </>
        )}
      </p>
      {rivals.map((rival) => (
        <Button key={rival} small onClick={() => onTake(rival)}>
          {t("review.takeRival", { rival: quoted(String(rival)) })}
        </Button>
      ))}
      <Button small variant="primary" onClick={onAccept}>
        {t("review.acceptValue")}{" "}<Kbd keys="a" />
      </Button>
      <Button small onClick={onNext}>
        {t("common.next")}{" "}<Kbd keys="n" />
      </Button>
    </section>
  );
}

function why({ problem, match, confidence }: Doubt): string {
  if (problem) return problem;
  if (match === "unproven") return t("review.notFoundInTheDocument");
  if (match === "several_candidates") return t("review.printedInSeveralPlaces");
  return t("review.confidenceSure", { confidence: Math.round(confidence * 100) });
}

/** The page on which a document's first doubtful value stands. */
function firstPage(assignment: Assignment): number {
  const path = nextDoubt(assignment, null);
  return (path === null ? null : groundingAt(assignment.result.grounding, path))?.page ?? 1;
}

interface Candidate {
  text: string;
  spots: Spot[];
}

/** The places of a value: the one that was taken for it, then the others. */
function placesOf(result: Result, path: string | null): Candidate[] {
  const grounding = path === null ? null : groundingAt(result.grounding, path);
  if (!grounding) return [];
  const others = (grounding.alternatives ?? []) as Partial<Pick<Grounding, "words">>[];
  return [grounding, ...others]
    .map(({ words = [] }) => ({ text: words.map((word) => word.text).join(" "), spots: words.map(({ page, box }) => ({ page, box })) }))
    .filter(({ spots }) => spots.length > 0);
}

/** "Place 2 of 3: “40.00” on page 2." */
function placeShown(places: readonly Candidate[], candidate: number): string {
  const number = candidate % Math.max(1, places.length);
  const place = places[number];
  return place && places.length > 1 ? t("review.placeNumberOfCountTextOn", { number: number + 1, count: places.length, text: quoted(place.text), page: place.spots[0]?.page }) : "";
}

function rivalsOf(result: Result, path: string): (string | number)[] {
  const rivals = groundingAt(result.grounding, path)?.rivals ?? [];
  return rivals.filter((rival) => typeof rival === "string" || typeof rival === "number");
}

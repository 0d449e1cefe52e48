import { waitingCalls } from "@/lib/agent/fold";
import type { Call, TurnFold } from "@/lib/agent/fold";

/** Whole messages that mean yes or no, in a few languages. Anything more is not a verdict: "yes, but shorter" decides nothing. */
const YES = new Set(
  "yes,y,yes please,yep,yeah,yup,sure,ok,okay,go,go ahead,do it,do that,proceed,approve,approved,confirm,confirmed,agreed,ja,ja bitte,genau,mach das,oui,d'accord,vas-y,sí,si,vale,adelante,sì,va bene,procedi,sim,tak,да,はい,是,好".split(","),
);
const NO = new Set(
  "no,n,no thanks,no thank you,nope,nah,don't,do not,don't do it,cancel,stop,reject,rejected,never mind,nevermind,leave it,nein,nein danke,abbrechen,non,non merci,annuler,no gracias,annulla,não,nao,nie,нет,いいえ,不,不要".split(","),
);

/** The verdict that a message is, or null if it is any other message. */
export function verdictIn(text: string): "yes" | "no" | null {
  const said = text
    .normalize("NFC")
    .replace(/[\u2018\u2019]/g, "'")
    .toLocaleLowerCase("en")
    .replace(/[\s,]+/g, " ")
    .replace(/^[\s"'“„«]+|[\s.!。！"”»]+$/g, "");
  if (YES.has(said)) return "yes";
  return NO.has(said) ? "no" : null;
}

/** The only card that waits, which a yes or no in the message field decides; null if none or several wait. */
export function onlyCard(turn: TurnFold | null): Call | null {
  if (turn?.status !== "awaiting_approval") return null;
  const [first, ...others] = waitingCalls(turn);
  return first && !others.length ? first : null;
}

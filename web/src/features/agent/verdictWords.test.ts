import { describe, expect, it } from "vitest";

import { emptyTurn } from "@/lib/agent/fold";
import type { Call, TurnFold } from "@/lib/agent/fold";

import { onlyCard, verdictIn } from "./verdictWords";

describe("a verdict in words", () => {
  it.each(["yes", "Yes.", " YES! ", "y", "ok", "Go ahead", "yes, please", "sure", "Ja", "oui", "sí", "Sì", "д".concat("а"), "はい", "“yes”"])("%s is a yes", (text) => {
    expect(verdictIn(text)).toBe("yes");
  });
  it.each(["no", "No.", "n", "nope", "cancel", "don\u2019t", "no, thanks", "Nein", "non merci", "нет"])("%s is a no", (text) => {
    expect(verdictIn(text)).toBe("no");
  });
  it.each([
    "",
    "?",
    "yes?",
    "yes, but shorter",
    "no, call it Bill",
    "yes and delete Notes",
    "not yet",
    "know",
    "is that a yes",
    "what would that change?",
    "approve all",
    "yes\nno",
    "okay then what",
  ])("%s decides nothing", (text) => {
    expect(verdictIn(text)).toBeNull();
  });
});

describe("the only card", () => {
  const call = (id: string, change: Partial<Call> = {}): Call => ({ key: id, id, stage: "waiting", asks: true, ...change }) as Call;
  const turn = (...calls: Call[]): TurnFold => ({
    ...emptyTurn("t"),
    status: "awaiting_approval",
    calls: Object.fromEntries(calls.map((one) => [one.key, one])),
  });

  it("is there while exactly one waits", () => {
    expect(onlyCard(turn(call("a")))?.id).toBe("a");
    expect(onlyCard(turn(call("a"), call("b", { stage: "over" })))?.id).toBe("a");
    expect(onlyCard(turn(call("a"), call("b", { asks: false })))?.id).toBe("a");
  });
  it("is not there while several wait, or none", () => {
    expect(onlyCard(turn(call("a"), call("b")))).toBeNull();
    expect(onlyCard(turn())).toBeNull();
    expect(onlyCard({ ...turn(call("a")), status: "running" })).toBeNull();
    expect(onlyCard(null)).toBeNull();
  });
});

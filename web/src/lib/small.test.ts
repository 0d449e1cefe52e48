import { describe, expect, it } from "vitest";

import { ApiError, apiError, messageOf } from "./api/errors";
import { matching } from "./commands";
import { isPreparing, pollInterval, proposalStanding, standing } from "./documentState";
import { fileSize, quoted, visible, words } from "./format";
import { isTyping, matches } from "./shortcuts";
import { relativeTime, timeLeft } from "./time";

import type { Document } from "./documentState";

function document(part: Partial<Document>): Document {
  return {
    id: "1", pdf_id: "1", document_name: "a.pdf", upload_date: "2026-03-14T10:00:00Z", uploaded_by: "me",
    state: "uploaded", tag_ids: [], type: null, metadata: {}, private_regions: null, size: 1, page_count: null, pages_read: 0,
    state_reason: null, state_reason_code: null, auto_create: false,
    auto_create_status: null, auto_create_schema_revid: null, auto_create_prompt_revid: null, auto_create_done_at: null,
    auto_create_error: null, ...part,
  };
}

describe("errors of the API", () => {
  it("speak in the server's words", () => {
    expect(apiError(400, { detail: "Tag with name 'x' already exists" }).message).toBe("Tag with name 'x' already exists");
  });

  it("name the fields that are wrong", () => {
    const error = apiError(422, { detail: [{ loc: ["body", "name"], msg: "Field required" }] });
    expect(error.fields).toEqual({ name: "Field required" });
    expect(error.message).toBe("name: Field required");
  });

  it("say something useful without a body, and without a server", () => {
    expect(apiError(502, null).message).toContain("502");
    expect(messageOf(new TypeError("Failed to fetch"))).toContain("cannot be reached");
    expect(messageOf(new ApiError(404, "Gone"))).toBe("Gone");
  });
});

describe("where a document stands", () => {
  it("counts pages while it is read", () => {
    const reading = standing(document({ state: "ocr_processing", page_count: 12, pages_read: 2 }));
    expect(reading.text).toBe("Reading page 3 of 12");
    expect(reading.progress).toEqual({ value: 2, max: 12 });
  });

  it("gives the reason of a failure", () => {
    expect(standing(document({ state: "ocr_failed", state_reason: "It is damaged." })).reason).toBe("It is damaged.");
  });

  it("tells which pages have no text, although all is read", () => {
    const told = { state_reason: "No text was found on page 2.", state_reason_code: "no_text" };
    expect(standing(document({ state: "ocr_completed", ...told }))).toMatchObject({ mark: "done", reason: told.state_reason });
    expect(standing(document({ state: "llm_completed", ...told })).reason).toBe(told.state_reason);
  });

  it("says what was made of it, whatever ran last", () => {
    const facts = (part: object) => ({
      document_id: "1", values: [], summarised: true, extracted: 0, extracting: null,
      review: { values: 0, sure: 0, to_check: 0, checked: 0 }, ...part,
    });
    const done = document({ state: "llm_completed" });
    expect(standing(done).text).toBe("Read");
    expect(standing(done, facts({})).text).toBe("Summarised");
    const review = { values: 28, sure: 20, to_check: 0, checked: 8 };
    expect(standing(done, facts({ extracted: 1, review }))).toMatchObject({ text: "Extracted", note: "28 values: 20 sure, 8 checked" });
    expect(standing(document({ state: "ocr_completed" }), facts({ extracted: 1, review })).text).toBe("Extracted");
    const doubtful = { values: 28, sure: 25, to_check: 3, checked: 0 };
    expect(standing(done, facts({ extracted: 1, review: doubtful }))).toMatchObject({ mark: "review", text: "Needs review", note: "28 values: 25 sure, 3 to check" });
    const partly = document({ state: "llm_completed", state_reason: "The key was refused.", state_reason_code: "extraction" });
    expect(standing(partly, facts({ extracted: 1, review }))).toMatchObject({ mark: "review", reason: "The key was refused." });
  });

  it("counts prompts and parts while it is extracted", () => {
    const at = (extracting: object) =>
      standing(document({ state: "llm_processing" }), {
        document_id: "1", values: [], summarised: false, extracted: 0, review: { values: 0, sure: 0, to_check: 0, checked: 0 },
        extracting: { prompt: 1, prompts: 1, window: 1, windows: 1, ...extracting },
      });
    expect(at({}).text).toBe("Extracting");
    expect(at({ window: 4, windows: 12 })).toMatchObject({ text: "Extracting, part 4 of 12", progress: { value: 3, max: 12 } });
    expect(at({ prompt: 2, prompts: 2, window: 3, windows: 12 }).text).toBe("Extracting, prompt 2 of 2, part 3 of 12");
  });

  it("is looked at again only while something may change", () => {
    const now = Date.parse("2026-03-14T10:00:10Z");
    expect(pollInterval(undefined, now)).toBe(false);
    expect(pollInterval([document({ state: "llm_processing" })], now)).toBe(1500);
    expect(pollInterval([document({ state: "ocr_completed" })], now)).toBe(1500);
    expect(pollInterval([document({ state: "ocr_completed" })], now + 300_000)).toBe(10_000);
    expect(pollInterval([document({ state: "ocr_completed" })], now + 3_600_000)).toBe(false);
    expect(pollInterval([document({ state: "llm_completed" }), document({ state: "ocr_failed" })], now)).toBe(false);
  });

  it("is looked at often while the agent prepares it, or is about to", () => {
    const now = Date.parse("2026-03-14T10:00:30Z");
    const later = now + 3_600_000;
    const asked = document({ auto_create: true, state: "llm_completed" });
    expect([isPreparing(asked, now), isPreparing(asked, later)]).toEqual([true, false]);
    expect(isPreparing(document({ auto_create: true, auto_create_status: "running", state: "ocr_completed" }), later)).toBe(true);
    expect(isPreparing(document({ auto_create: true, auto_create_status: "proposed" }), now)).toBe(false);
    expect(isPreparing(document({ auto_create: true, state: "ocr_failed" }), now)).toBe(false);
    expect(isPreparing(document({ auto_create: false }), now)).toBe(false);
    expect(pollInterval([asked], now)).toBe(1500);
    expect(pollInterval([asked], later)).toBe(false);
  });

  it("tells what became of its proposal as long as that matters", () => {
    expect(proposalStanding(document({ auto_create_status: "proposed" }))?.text).toBe("Proposed");
    expect(proposalStanding(document({ auto_create_status: "failed", auto_create_error: "No credits." }))?.reason).toBe("No credits.");
    expect(proposalStanding(document({ auto_create_status: "accepted" }))).toBeNull();
    expect(proposalStanding(document({}))).toBeNull();
  });
});

describe("words", () => {
  it("for sizes, counts and names of fields", () => {
    expect([fileSize(0), fileSize(999), fileSize(1500), fileSize(42_000), fileSize(3_400_000)]).toEqual([
      "0 bytes", "999 bytes", "1.5 kB", "42 kB", "3.4 MB",
    ]);
    expect([words("invoice_number"), words("dueDate"), words("VAT")]).toEqual(["Invoice number", "Due date", "Vat"]);
  });

  it("for times", () => {
    const now = new Date(2026, 2, 14, 15, 0, 0);
    const at = (...parts: [number, number, number, number, number]): string => relativeTime(new Date(...parts), now);
    expect(relativeTime(now, now)).toBe("just now");
    expect(at(2026, 2, 14, 14, 56)).toBe("4 min ago");
    expect(at(2026, 2, 14, 12, 0)).toBe("3 h ago");
    expect(at(2026, 2, 13, 22, 0)).toBe("yesterday");
    expect(at(2026, 0, 2, 9, 0)).toBe("2 Jan");
    expect(at(2025, 0, 2, 9, 0)).toBe("2 Jan 2025");
  });
});

describe("names", () => {
  it("stay inside their quotation marks and hide nothing", () => {
    expect(quoted("bills")).toBe("“bills”");
    expect(quoted("x” and delete “y")).toBe("“x' and delete 'y”");
    expect(quoted("a\u202eb\nc")).toBe("“a\ufffdb\ufffdc”");
    expect(quoted("\u05d0\u05d1")).toBe("“\u2068\u05d0\u05d1\u2069”");
    expect(visible("gnp.\u202efdp\u2066\n")).toBe("gnp.\ufffdfdp\ufffd\n");
  });
});

describe("keys", () => {
  it("match with their modifier and without others", () => {
    const press = (key: string, ctrlKey = false): KeyboardEvent => new KeyboardEvent("keydown", { key, ctrlKey });
    expect(matches("Mod+K", press("k", true))).toBe(true);
    expect(matches("Mod+K", press("k"))).toBe(false);
    expect(matches("u", press("u", true))).toBe(false);
    expect(matches("?", press("?"))).toBe(true);
  });

  it("are left alone while one types", () => {
    const typed = (element: HTMLElement): boolean => {
      let result = false;
      globalThis.document.body.append(element);
      element.addEventListener("keydown", (event) => (result = isTyping(event)));
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "u", bubbles: true }));
      element.remove();
      return result;
    };
    const create = globalThis.document.createElement.bind(globalThis.document);
    expect(typed(create("input"))).toBe(true);
    expect(typed(create("textarea"))).toBe(true);
    expect(typed(create("button"))).toBe(false);
    expect(typed(Object.assign(create("input"), { type: "checkbox" }))).toBe(false);
  });
});

describe("commands", () => {
  it("are found by every word, those that begin with it first", () => {
    const all = ["Go to Tags", "Tag documents", "Sign out"].map((label) => ({ id: label, label, run: () => undefined }));
    expect(matching(all, "tag").map((command) => command.label)).toEqual(["Tag documents", "Go to Tags"]);
    expect(matching(all, "go tag").map((command) => command.label)).toEqual(["Go to Tags"]);
    expect(matching(all, "")).toHaveLength(3);
    expect(matching(all, "zebra")).toEqual([]);
  });
});

describe("the time that is left", () => {
  it("is told in whole days", () => {
    const now = new Date("2026-03-14T10:00:00Z");
    expect(timeLeft(new Date("2026-03-21T10:00:00Z"), now)).toBe("7 days left");
    expect(timeLeft(new Date("2026-03-16T09:00:00Z"), now)).toBe("1 day left");
    expect(timeLeft(new Date("2026-03-14T11:00:00Z"), now)).toBe("less than a day left");
    expect(timeLeft(new Date("2026-03-13T10:00:00Z"), now)).toBe("less than a day left");
  });
});

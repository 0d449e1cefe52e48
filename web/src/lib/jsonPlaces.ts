import { below, pathOf, stepsOf } from "./fieldPath";

/** Where a part of a JSON text is: from its first character to behind its last. */
export interface TextSpan {
  from: number;
  to: number;
}

/**
 * Finds parts of a JSON text by their path, as the server writes it. A path that
 * is not there leads to the nearest part above it that is.
 */
export function placeInJson(text: string, path: string): TextSpan {
  const places = placesOf(text);
  for (let steps = stepsOf(path); ; steps = steps.slice(0, -1)) {
    const found = places.get(pathOf(steps));
    if (found) return found;
    if (!steps.length) return { from: 0, to: Math.min(1, text.length) };
  }
}

/** Every part by its path. A member is marked at its key, the rest at the value. Broken text gives what comes before. */
export function placesOf(text: string): Map<string, TextSpan> {
  const places = new Map<string, TextSpan>();
  const reader = new Reader(text, places);
  try {
    reader.value("", null);
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
  }
  return places;
}

class BrokenJson extends Error {}

class Reader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly places: Map<string, TextSpan>,
  ) {}

  value(path: string, key: TextSpan | null): void {
    this.space();
    const from = this.at;
    const first = this.text[from];
    if (first === "{" || first === "[") this.places.set(path, key ?? { from, to: from + 1 });
    if (first === "{") this.members(path);
    else if (first === "[") this.items(path);
    else if (first === '"') this.string();
    else this.word();
    if (!this.places.has(path)) this.places.set(path, key ?? { from, to: this.at });
  }

  private members(path: string): void {
    this.at += 1;
    this.space();
    while (this.text[this.at] !== "}") {
      const from = this.at;
      const name = this.string();
      const key = { from, to: this.at };
      this.space();
      this.expect(":");
      this.value(below(path, name), key);
      this.separator("}");
    }
    this.at += 1;
  }

  private items(path: string): void {
    this.at += 1;
    this.space();
    for (let index = 0; this.text[this.at] !== "]"; index += 1) {
      this.value(below(path, index), null);
      this.separator("]");
    }
    this.at += 1;
  }

  private separator(end: string): void {
    this.space();
    if (this.text[this.at] === end) return;
    this.expect(",");
    this.space();
  }

  private string(): string {
    const found = /"(?:[^"\\\n]|\\.)*"/y;
    found.lastIndex = this.at;
    const match = found.exec(this.text);
    if (!match) throw new BrokenJson();
    this.at = found.lastIndex;
    try {
      return JSON.parse(match[0]) as string;
    } catch {
      throw new BrokenJson();
    }
  }

  private word(): void {
    const found = /[\w.+-]+/y;
    found.lastIndex = this.at;
    if (!found.exec(this.text)) throw new BrokenJson();
    this.at = found.lastIndex;
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) throw new BrokenJson();
    this.at += 1;
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at += 1;
  }
}

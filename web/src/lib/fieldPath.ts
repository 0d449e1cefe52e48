/**
 * The address of a value in a result. Its text is dotted (`lines.0.price`) as long as that can be read in one way only,
 * else a JSON Pointer (`/Total incl. VAT`), as the server writes it. No other module takes a path's text apart.
 */
export type Step = string | number;

/** The names and positions of a path's text. A name of digits reads as a position; in data both lead to the same. */
export function stepsOf(path: string): Step[] {
  if (path === "") return [];
  const names = path.startsWith("/") ? path.slice(1).split("/").map(unescaped) : path.split(".");
  return names.map((name) => (/^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : name));
}

export function pathOf(steps: readonly Step[]): string {
  const names = steps.map(String);
  const isPlain = names.every((name) => name !== "" && !name.includes(".")) && !names[0]?.startsWith("/");
  return isPlain ? dotted(steps) : names.map((name) => `/${escaped(name)}`).join("");
}

/** The names and positions with dots between them, for people: what belongs to a name, they see. */
export function dotted(steps: readonly Step[]): string {
  return steps.join(".");
}

/** The path of what lies further below a path. */
export function below(path: string, ...steps: Step[]): string {
  return pathOf([...stepsOf(path), ...steps]);
}

/** Whether a path is the outer one, or leads on from it. */
export function isWithin(path: string, outer: string): boolean {
  const steps = stepsOf(path);
  return stepsOf(outer).every((step, index) => step === steps[index]);
}

/** What stands at a path; undefined where there is nothing. */
export function valueAt(data: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((inner, step) => (typeof inner === "object" && inner !== null ? (inner as Record<Step, unknown>)[step] : undefined), data);
}

/** The last name on the way: `price` of `lines.0.price`. */
export function nameOf(path: string): string {
  const steps = stepsOf(path);
  return String(steps.findLast((step) => typeof step === "string") ?? steps.at(-1) ?? "");
}

/** The same for every row of a list. */
export function columnOf(path: string): string {
  return pathOf(stepsOf(path).map((step) => (typeof step === "number" ? "*" : step)));
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescaped(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}

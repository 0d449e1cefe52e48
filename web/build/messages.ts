/** What `make check` asks of the message catalogues and of the code that uses them. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { IntlMessageFormat } from "intl-messageformat";
import ts from "typescript";

export type Catalogues = Record<string, Record<string, string>>;

/** Attributes that a person sees or hears. */
const SEEN = new Set(
  "about action alt aria-description aria-label aria-roledescription aria-valuetext busy description disabledBecause empty error group hint label none note placeholder says submit title what words".split(" "),
);
/** Names that are the same in every language. */
const NAMES = /^(docagent|English|Deutsch|PDF|JSON|CSV|Markdown|Parquet|Mod|Ctrl|Esc|docagent login-link|mcp\.enabled|Bearer .*|https?:.*)$/;
const SENTENCE = /^[A-Z][a-z]+(?:[’']\w+)?,? [a-z“]|^[A-Z][a-z]+ \$\{/;
const FUNCTIONS = new Set(["t", "rich"]);
/** Functions that call what they are given later, not at once. */
const LATER = new Set(["forwardRef", "lazy", "memo", "part"]);

/** What the ICU parser calls plain words, and the sign for the number in a plural. */
const [LITERAL, POUND] = [0, 7];

interface Part {
  type: number;
  value?: string;
  options?: Record<string, { value: Part[] }>;
}

export interface Source {
  name: string;
  text: string;
}

export interface Use {
  place: string;
  key: string;
  names: string[] | null;
}

/** Every module of the client, without tests, the catalogues and what is generated. */
export function sources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll(path.sep, "/"))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$|^test\/|^messages\//.test(name))
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), "utf8") }));
}

/** The parts of a message, those inside of plurals and choices too. */
function partsOf(message: string): Part[] {
  const all = (parts: Part[]): Part[] => parts.flatMap((part) => [part, ...Object.values(part.options ?? {}).flatMap((option) => all(option.value))]);
  return all(new IntlMessageFormat(message, "en", undefined, { ignoreTag: true }).getAst());
}

/** The values that a message takes, by name. */
export function valuesOf(message: string): string[] {
  const names = partsOf(message).filter(({ type }) => type !== LITERAL && type !== POUND).map(({ value }) => value ?? "");
  return [...new Set(names)].sort();
}

/** The words of a message itself, without the names of its values. */
function wordsOf(message: string): string[] {
  const said = partsOf(message).map((part) => (part.type === LITERAL ? part.value : " "));
  return said.join(" ").match(/[A-Za-z]{2,}/g) ?? [];
}

/** Keys that one language has and the other lacks, messages that take other values, and texts left untranslated. */
export function translationFaults(english: Catalogues, other: Catalogues, same: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  for (const key of new Set([...keysOf(english), ...keysOf(other)])) {
    const [one, two] = [messageOf(english, key), messageOf(other, key)];
    if (one === undefined || two === undefined) faults.push(`${key} is missing in ${one === undefined ? "English" : "the translation"}`);
    else if (!two.trim()) faults.push(`${key} is empty`);
    else if (valuesOf(one).join() !== valuesOf(two).join()) faults.push(`${key} takes other values in the translation`);
    else if (one === two && !wordsOf(one).every((word) => same.has(word))) faults.push(`${key} is not translated: ${one}`);
  }
  return faults;
}

export function keysOf(catalogues: Catalogues): string[] {
  return Object.entries(catalogues).flatMap(([name, messages]) => Object.keys(messages).map((key) => `${name}.${key}`));
}

export function messageOf(catalogues: Catalogues, key: string): string | undefined {
  const dot = key.indexOf(".");
  return catalogues[key.slice(0, dot)]?.[key.slice(dot + 1)];
}

/** Texts in the code that a person sees: they belong into a catalogue. */
export function hardCoded({ name, text }: Source): string[] {
  const file = parsed(name, text);
  const found: string[] = [];
  const tell = (node: ts.Node, said: string): void => void found.push(`${name}:${line(file, node)} ${said.trim().replaceAll(/\s+/g, " ")}`);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isThrowStatement(node)) return;
    if (ts.isJsxText(node) && isText(node.text)) tell(node, node.text);
    else if (isString(node)) {
      const said = literal(node);
      if (isSeen(node) ? isText(said) : SENTENCE.test(said) && !NAMES.test(said)) tell(node, said);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Messages that are asked for while a module is loaded: they would keep the first language. */
export function tooEarly({ name, text }: Source): string[] {
  const file = parsed(name, text);
  return calls(file).filter((call) => !runsLater(call)).map((call) => `${name}:${line(file, call)} ${call.getText(file)}`);
}

/** Where messages are used, with the names of the values that they are given (null where they are not written there). */
export function uses({ name, text }: Source, known: ReadonlySet<string>): Use[] {
  const file = parsed(name, text);
  const found: Use[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && known.has(node.text)) {
      const call = node.parent;
      const isCall = ts.isCallExpression(call) && isMessageCall(call);
      found.push({ place: `${name}:${line(file, node)}`, key: node.text, names: isCall ? givenNames(call) : null });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The modules that a first visit loads: what `entry` imports, and what that imports; lazy imports do not count. */
export function firstLoaded(all: readonly Source[], entry: string): Source[] {
  const byName = new Map(all.map((source) => [source.name, source]));
  const reached = new Set<string>();
  const visit = (name: string): void => {
    const source = byName.get(name);
    if (!source || reached.has(name)) return;
    reached.add(name);
    for (const [statement, target = ""] of source.text.matchAll(/^(?:import|export) [^;]*?from "([^"]+)";/gms)) {
      if (!/^(?:import|export) type\b/.test(statement)) for (const file of filesOf(name, target)) visit(file);
    }
  };
  visit(entry);
  return all.filter(({ name }) => reached.has(name));
}

function filesOf(from: string, target: string): string[] {
  const base = target.startsWith("@/") ? target.slice(2) : target.startsWith(".") ? path.posix.join(path.posix.dirname(from), target) : null;
  return base === null ? [] : [`${base}.ts`, `${base}.tsx`];
}

function givenNames(call: ts.CallExpression): string[] | null {
  const given = call.arguments[1];
  if (!given) return [];
  if (!ts.isObjectLiteralExpression(given)) return null;
  return given.properties.map((property) => property.name?.getText() ?? "").sort();
}

function isMessageCall(call: ts.CallExpression): boolean {
  return ts.isIdentifier(call.expression) && FUNCTIONS.has(call.expression.text);
}

function calls(file: ts.SourceFile): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isMessageCall(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** A callback that another call takes, such as that of `map`, runs at once; every other function runs later. */
function runsLater(node: ts.Node): boolean {
  for (let at: ts.Node = node; at.parent; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    const call = at.parent;
    const isCallback = ts.isCallExpression(call) && call.arguments.some((argument) => argument === at);
    if (!isCallback || LATER.has(call.expression.getText())) return true;
  }
  return false;
}

function isString(node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
}

function literal(node: ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression): string {
  if (!ts.isTemplateExpression(node)) return node.text;
  return node.head.text + node.templateSpans.map((span) => `\${}${span.literal.text}`).join("");
}

function isText(said: string): boolean {
  const words = said.replaceAll("${}", "").trim();
  return /[A-Za-z]{2}/.test(words) && !NAMES.test(words);
}

/** Whether a string is drawn as it is: a child or a telling attribute of an element, also as a branch of a condition. */
function isSeen(node: ts.Node): boolean {
  let at = node;
  while (isPassedOn(at)) at = at.parent;
  const holder = at.parent;
  if (ts.isJsxAttribute(holder)) return SEEN.has(holder.name.getText());
  if (!ts.isJsxExpression(holder)) return false;
  return ts.isJsxAttribute(holder.parent) ? SEEN.has(holder.parent.name.getText()) : true;
}

function isPassedOn(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return true;
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  return ts.isBinaryExpression(parent) && ["&&", "||", "??", "+"].includes(parent.operatorToken.getText());
}

function parsed(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
}

function line(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

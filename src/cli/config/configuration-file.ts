import type { Hono } from 'hono';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  parseDocument,
} from 'yaml';
import { ConfigurationError, messageOf } from '../../base/errors.ts';
import { isShallow, type Json } from '../../base/json.ts';
import { readUserFile } from '../../base/read-file.ts';
import { listReferences } from './settings.ts';
import { MAX_LEVELS, TOO_DEEP } from './structured-file.ts';

/** Open tokens of YAML's parser. Composing deeper texts overflows the stack. */
const MAX_OPEN_TOKENS = 102;

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A setting in a configuration file; a module has no positions. */
export interface FoundSetting extends Partial<TextPosition> {
  readonly isDeclared: boolean;
  /** Environment variables (`${NAME}`) or the file (`file:path`) in its text. */
  readonly references: readonly string[];
}

export interface ConfigurationSource {
  readonly path: string;
  readonly content: unknown;
  /** The setting, or the nearest around it, that a text begins with (`sites[0].url: …`). */
  find(text: string): FoundSetting | undefined;
  /** `waygate.yaml:3:5: port: …` */
  describe(message: string): string;
  /** @throws {ConfigurationError} if the program's function throws or rejects */
  createApp(): Promise<Hono | undefined>;
}

export class ConfigurationFile implements ConfigurationSource {
  readonly path: string;
  readonly text: string;
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter = new LineCounter();

  /** @throws {ConfigurationError} if the file isn't readable, or nests more than 100 levels */
  constructor(path: string) {
    this.path = path;
    this.text = readUserFile(path, '--config');
    this.#requireShallow();
    this.#document = parseDocument(this.text, { lineCounter: this.#lines, prettyErrors: false });
  }

  describe(message: string, place: Partial<TextPosition> | undefined = this.find(message)): string {
    return place === undefined ? message : `${this.path}:${place.line}:${place.column}: ${message}`;
  }

  /** @throws {ConfigurationError} for an alias to a missing anchor or to itself, or for too many aliases */
  get content(): Json {
    try {
      const content: Json = this.#document.toJS({ maxAliasCount: 100 });
      if (isShallow(content, MAX_LEVELS)) return content;
      throw new Error(TOO_DEEP);
    } catch (cause) {
      throw new ConfigurationError(`--config ${this.path}: ${messageOf(cause)}`, { cause });
    }
  }

  async createApp(): Promise<undefined> {}

  /** The first error of the parser: most later errors follow from it. */
  get syntaxError(): (TextPosition & { readonly message: string }) | undefined {
    const { errors, warnings } = this.#document;
    const [first] = [...errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
    if (first === undefined) return undefined;
    const [start] = first.pos;
    const isReference = this.text.startsWith('${', start - 1);
    const message = isReference ? 'between braces "${…}" needs quotation marks' : first.message;
    return { ...this.#locate(start), message };
  }

  #requireShallow(): void {
    const parser = new Parser();
    for (const lexeme of new Lexer().lex(this.text)) {
      for (const _ of parser.next(lexeme));
      if (parser.stack.length <= MAX_OPEN_TOKENS) continue;
      const lines = this.text.slice(0, parser.offset).split('\n');
      const place = `${lines.length}:${lines.at(-1)?.length}`;
      throw new ConfigurationError(`${this.path}:${place}: nested more than 100 deep`);
    }
  }

  find(text: string): FoundSetting | undefined {
    let offset: number | undefined;
    let node: unknown = this.#document.contents;
    let rest = text;
    for (;;) {
      const step = stepInto(isAlias(node) ? node.resolve(this.#document) : node, rest);
      if (step === undefined) break;
      ({ node, offset, rest } = step);
    }
    if (offset === undefined) return undefined;
    const written = isScalar(node) && typeof node.value === 'string' ? node.value : '';
    return {
      ...this.#locate(offset),
      isDeclared: /^(?:[:\s]|$)/.test(rest),
      references: listReferences(written),
    };
  }

  #locate(offset: number): TextPosition {
    const { col, line } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}

function stepInto(
  container: unknown,
  text: string,
): { node: unknown; offset: number; rest: string } | undefined {
  if (isSeq(container)) {
    const [, position, rest = ''] = /^\[(\d+)\]\.?(.*)$/s.exec(text) ?? [];
    const node = position === undefined ? undefined : container.items[Number(position)];
    return isNode(node) ? { node, offset: node.range?.[0] ?? 0, rest } : undefined;
  }
  if (!isMap(container)) return undefined;
  for (const { key, value: node } of container.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const rest = text.slice(name.length);
    if (name === '' || !text.startsWith(name) || !/^(?:[.[:\s]|$)/.test(rest)) continue;
    return { node, offset: (isNode(key) ? key.range?.[0] : undefined) ?? 0, rest: rest.replace(/^\./, '') };
  }
  return undefined;
}

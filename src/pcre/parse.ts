import type { PcreNode } from './ast.ts';
import { type PcreFailureReason, PcreSyntaxError } from './cursor.ts';
import { NO_FLAGS } from './flags.ts';
import { Parser } from './parser.ts';

export type ParsedPcre =
  | {
      readonly ok: true;
      readonly root: PcreNode;
      /** The text that was read, which the spans of the nodes point into. */
      readonly source: string;
      /** All capturing groups, in the order of their numbers. */
      readonly groups: readonly { readonly index: number; readonly name?: string }[];
      /** Why PCRE refuses to compile this although it can be read, such as two groups of one name. */
      readonly refused?: string;
    }
  | {
      readonly ok: false;
      readonly reason: PcreFailureReason;
      readonly message: string;
      /** Where, in bytes (or code points, with `unicode`). */
      readonly offset: number;
    };

export interface ParseOptions {
  /** PHP's `u` flag: the pattern is read by code points and the classes are Unicode's; else by UTF-8 bytes. */
  readonly unicode?: boolean;
  /** PHP's `i` flag. */
  readonly ignoreCase?: boolean;
}

/** Longer patterns are not read: nobody writes them, and what is done with a pattern may take the square of it. */
const MAX_LENGTH = 8192;

/** Reads a pattern without its delimiters and modifiers. Never throws; see pcre2pattern(3) for what it reads. */
export function parsePcre(source: string, options: ParseOptions = {}): ParsedPcre {
  if (source.length > MAX_LENGTH) {
    return {
      ok: false,
      reason: 'too-large',
      message: `longer than ${MAX_LENGTH} characters`,
      offset: MAX_LENGTH,
    };
  }
  const unicode = options.unicode ?? false;
  const characters = unicode
    ? [...source].map((c) => c.codePointAt(0) ?? 0)
    : [...new TextEncoder().encode(source)];
  try {
    return {
      ...new Parser(characters, unicode).parse({ ...NO_FLAGS, i: options.ignoreCase ?? false }),
      source,
    };
  } catch (error) {
    if (!(error instanceof PcreSyntaxError)) throw error;
    return { ok: false, reason: error.reason, message: error.message, offset: error.offset };
  }
}

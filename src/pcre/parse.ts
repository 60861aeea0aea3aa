import type { PcreNode } from './ast.ts';
import { type PcreErrorReason, PcreSyntaxError } from './cursor.ts';
import { NO_FLAGS } from './parse-flags.ts';
import { PcreParser } from './parser.ts';

export type ParsedPcre =
  | {
      readonly ok: true;
      readonly root: PcreNode;
      /** The parsed text. The spans of the nodes are positions in it. */
      readonly source: string;
      /** All capturing groups by number. */
      readonly groups: readonly { readonly index: number; readonly name?: string }[];
      /** Reason why PCRE rejects the pattern although it parses, such as a duplicate group name. */
      readonly rejectionReason?: string;
    }
  | {
      readonly ok: false;
      readonly reason: PcreErrorReason;
      readonly message: string;
      /** Position in bytes, or in code points with `unicode`. */
      readonly offset: number;
    };

export interface PcreParseOptions {
  /** PHP's `u` flag: code points and Unicode classes instead of UTF-8 bytes. */
  readonly unicode?: boolean;
  /** PHP's `i` flag. */
  readonly ignoreCase?: boolean;
}

/** Maximum pattern length. The analyses of a pattern may take quadratic time. */
const MAX_LENGTH = 8192;

/** Parses a pattern without delimiters and modifiers, see pcre2pattern(3). Errors are values; it never throws. */
export function parsePcre(source: string, options: PcreParseOptions = {}): ParsedPcre {
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
      ...new PcreParser(characters, unicode).parse({ ...NO_FLAGS, i: options.ignoreCase ?? false }),
      source,
    };
  } catch (error) {
    if (!(error instanceof PcreSyntaxError)) throw error;
    return { ok: false, reason: error.reason, message: error.message, offset: error.offset };
  }
}

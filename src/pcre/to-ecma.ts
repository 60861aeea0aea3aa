import type { PcreNode } from './ast.ts';
import { bytesToCodePoints, type CodePointPattern } from './bytes-to-code-points.ts';
import { MAX_CODE_POINT } from './charset.ts';
import { type PrintedPattern, printEcmaPattern } from './print-ecma.ts';

/** A pattern in ECMAScript syntax. It is valid with the `u` flag, which JSON Schema validators use, and with `v`. */
export interface EcmaPattern {
  readonly pattern: string;
  /** Whether it accepts exactly what the site accepts; otherwise it accepts more. */
  readonly exact: boolean;
  /** Reasons why it accepts more than the site; empty if it accepts the same. */
  readonly wideningReasons: readonly string[];
}

export interface EcmaOptions {
  /** Whether the pattern was parsed by code points (PHP's `u` flag) instead of bytes. */
  readonly unicode: boolean;
  /** Whether the whole value must match. If so, the pattern is put between `^` and `$`. */
  readonly matchesWhole: boolean;
}

const NO_GROUPS: ReadonlySet<number> = new Set();

/** Prints a pattern for a document, without capturing groups, lazy quantifiers and flags. */
export function toEcmaPattern(node: PcreNode, options: EcmaOptions): EcmaPattern {
  const lifted: CodePointPattern = options.unicode ? { root: node } : bytesToCodePoints(node);
  const root = unwrap(lifted.root);
  const printed = print(root, options);
  const wideningReasons = [...printed.wideningReasons];
  if (lifted.widerRoot === undefined) {
    const pattern = options.matchesWhole ? anchored(printed.source, root) : printed.source;
    return { pattern, exact: wideningReasons.length === 0, wideningReasons };
  }
  const loose = unwrap(lifted.widerRoot);
  const wide = print(loose, options).source;
  wideningReasons.push('the site counts bytes, this pattern counts characters');
  return {
    pattern: options.matchesWhole ? strictOrLoose(printed.source, wide) : wide,
    exact: false,
    wideningReasons,
  };
}

function print(root: PcreNode, { unicode, matchesWhole }: EcmaOptions): PrintedPattern {
  return printEcmaPattern(root, {
    maxCharacter: MAX_CODE_POINT,
    unicodeWords: unicode,
    capturedGroups: NO_GROUPS,
    forMatching: false,
    isWholePattern: !matchesWhole,
  });
}

/** Combines both forms: ASCII values have to match `strict`; `wide` applies only to values with other characters. */
function strictOrLoose(strict: string, wide: string): string {
  return `^(?:${strict}|(?=[\\x00-\\x7f]*[^\\x00-\\x7f])(?:${wide}))$`;
}

function unwrap(node: PcreNode): PcreNode {
  return node.kind === 'group' ? unwrap(node.body) : node;
}

function anchored(source: string, root: PcreNode): string {
  return root.kind === 'alternation' ? `^(?:${source})$` : `^${source}$`;
}

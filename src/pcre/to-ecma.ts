import type { PcreNode } from './ast.ts';
import { bytesToCodePoints, type CodePointPattern } from './bytes-to-code-points.ts';
import { MAX_CODE_POINT } from './charset.ts';
import { type PrintedPattern, printPattern } from './print.ts';

/** A pattern in ECMAScript syntax for the `u` flag, which JSON Schema validators use. It is valid under `v` too. */
export interface EcmaPattern {
  readonly pattern: string;
  /** `true`: it accepts exactly what the site accepts. `false`: it accepts more. */
  readonly exact: boolean;
  /** Reasons why it accepts more. */
  readonly reasons: readonly string[];
}

export interface EcmaOptions {
  /** Whether the pattern was parsed by code points (PHP's `u` flag) instead of bytes. */
  readonly unicode: boolean;
  /** Whether the whole value must match. The pattern is put between `^` and `$`. */
  readonly anchored: boolean;
}

const NO_GROUPS: ReadonlySet<number> = new Set();

/** Prints a pattern for a document, without capturing groups, lazy quantifiers and flags. */
export function toEcma(node: PcreNode, options: EcmaOptions): EcmaPattern {
  const lifted: CodePointPattern = options.unicode ? { root: node } : bytesToCodePoints(node);
  const root = unwrap(lifted.root);
  const printed = print(root, options);
  const reasons = [...printed.widened];
  if (lifted.loose === undefined) {
    const pattern = options.anchored ? anchored(printed.source, root) : printed.source;
    return { pattern, exact: reasons.length === 0, reasons };
  }
  const loose = unwrap(lifted.loose);
  const wide = print(loose, options).source;
  reasons.push('the site counts bytes, this pattern counts characters');
  return { pattern: options.anchored ? strictOrLoose(printed.source, wide) : wide, exact: false, reasons };
}

function print(root: PcreNode, { unicode, anchored }: EcmaOptions): PrintedPattern {
  return printPattern(root, {
    max: MAX_CODE_POINT,
    unicodeWords: unicode,
    captured: NO_GROUPS,
    forMatching: false,
    ends: !anchored,
  });
}

/** For ASCII values, which are most, bytes are characters. The wider form applies to values with other characters only. */
function strictOrLoose(strict: string, wide: string): string {
  return `^(?:${strict}|(?=[\\x00-\\x7f]*[^\\x00-\\x7f])(?:${wide}))$`;
}

function unwrap(node: PcreNode): PcreNode {
  return node.kind === 'group' ? unwrap(node.body) : node;
}

function anchored(source: string, root: PcreNode): string {
  return root.kind === 'alternation' ? `^(?:${source})$` : `^${source}$`;
}

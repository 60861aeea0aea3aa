import type { PcreNode } from './ast.ts';
import { MAX_CODE_POINT } from './charset.ts';
import { type Lifted, liftBytes } from './lift.ts';
import { type Printed, printPattern } from './print.ts';

/** A pattern as ECMA-262 writes it: for the `u` flag, which JSON Schema validators set; `v` takes it too. */
export interface EcmaPattern {
  readonly pattern: string;
  /** Whether it accepts exactly what the site accepts; else it accepts more. */
  readonly exact: boolean;
  /** Why it accepts more, in a few words each. */
  readonly reasons: readonly string[];
}

export interface EcmaOptions {
  /** Whether the pattern was read by code points (PHP's `u` flag) or by bytes. */
  readonly unicode: boolean;
  /** Whether the whole value has to match: the pattern is put between `^` and `$`. */
  readonly anchored: boolean;
}

const NONE: ReadonlySet<number> = new Set();

/** Prints a pattern for a document: without groups, without laziness, with the flags settled. */
export function toEcma(node: PcreNode, options: EcmaOptions): EcmaPattern {
  const lifted: Lifted = options.unicode ? { root: node } : liftBytes(node);
  const root = unwrap(lifted.root);
  const printed = print(root, options);
  const reasons = [...printed.widened];
  if (lifted.loose === undefined) {
    const pattern = options.anchored ? anchored(printed.source, root) : printed.source;
    return { pattern, exact: reasons.length === 0, reasons };
  }
  const loose = unwrap(lifted.loose);
  const wide = print(loose, options).source;
  reasons.push('the site counts bytes where this counts characters');
  return { pattern: options.anchored ? eitherWay(printed.source, wide) : wide, exact: false, reasons };
}

function print(root: PcreNode, { unicode, anchored }: EcmaOptions): Printed {
  return printPattern(root, {
    max: MAX_CODE_POINT,
    unicodeWords: unicode,
    captured: NONE,
    forMatching: false,
    ends: !anchored,
  });
}

/** Bytes are characters in ASCII, of which nearly all values are: only another character is worth the wider form. */
function eitherWay(strict: string, wide: string): string {
  return `^(?:${strict}|(?=[\\x00-\\x7f]*[^\\x00-\\x7f])(?:${wide}))$`;
}

function unwrap(node: PcreNode): PcreNode {
  return node.kind === 'group' ? unwrap(node.body) : node;
}

function anchored(source: string, root: PcreNode): string {
  return root.kind === 'alternation' ? `^(?:${source})$` : `^${source}$`;
}

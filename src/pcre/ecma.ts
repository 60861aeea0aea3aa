import type { PcreNode } from './ast.ts';
import { MAX_CODE_POINT } from './charset.ts';
import { liftBytes } from './lift.ts';
import { printPattern } from './print.ts';

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
  const lifted = options.unicode ? { root: node, exact: true } : liftBytes(node);
  const root = unwrap(lifted.root);
  const printed = printPattern(root, {
    max: MAX_CODE_POINT,
    unicodeWords: options.unicode,
    captured: NONE,
    forMatching: false,
    ends: !options.anchored,
  });
  const reasons = [...printed.widened];
  if (!lifted.exact) reasons.push('the site counts bytes where this counts characters');
  return {
    pattern: options.anchored ? anchored(printed.source, root) : printed.source,
    exact: reasons.length === 0,
    reasons,
  };
}

function unwrap(node: PcreNode): PcreNode {
  return node.kind === 'group' ? unwrap(node.body) : node;
}

function anchored(source: string, root: PcreNode): string {
  return root.kind === 'alternation' ? `^(?:${source})$` : `^${source}$`;
}

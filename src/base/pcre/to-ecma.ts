import {
  type AssertionKind,
  childrenOf,
  isNullable,
  type PcreNode,
  type RepeatNode,
  type SetNode,
} from './ast.ts';
import { toRe2 } from './charset.ts';

interface EcmaPattern {
  readonly pattern: string;
  readonly wideningReasons: readonly string[];
}

/** PHP matches bytes of routes, readers characters: where that makes a difference, it is widened beyond ASCII. */
export function toEcmaPattern(
  node: PcreNode,
  { matchesWhole, unicode }: Readonly<Record<'matchesWhole' | 'unicode', boolean>>,
): EcmaPattern {
  const root = unwrap(node);
  const options = { target: 'document', unicode, isWholePattern: !matchesWhole } as const;
  const { source, wideningReasons } = printPattern(root, options);
  if (unicode || readBeyondAscii(node).isSame) {
    const whole = root.kind === 'alternation' ? `^(?:${source})$` : `^${source}$`;
    return { pattern: matchesWhole ? whole : source, wideningReasons };
  }
  return {
    pattern: matchesWhole ? '^[\\s\\S]*$' : '',
    wideningReasons: [...wideningReasons, 'the site counts bytes, this pattern counts characters'],
  };
}

interface BeyondAscii {
  readonly isEmpty: boolean;
  readonly first: boolean;
  readonly last: boolean;
  readonly isSame: boolean;
}

/** Whether a pattern over UTF-8 bytes means the same over code points: `[^\/]+` does, `[^\/]{3}` doesn't. */
function readBeyondAscii(node: PcreNode): BeyondAscii {
  const isEmpty = isNullable(node);
  if (node.kind === 'set') {
    const isBeyond = countBeyondAscii(node) > 0;
    return { isEmpty, first: isBeyond, last: isBeyond, isSame: !isBeyond };
  }
  if (node.kind === 'repeat') {
    const { body, max, min } = node;
    if (body.kind === 'set' && countBeyondAscii(body) > 0) {
      const isSame = max === Number.POSITIVE_INFINITY && min <= 1 && countBeyondAscii(body) === 0x80;
      return { isEmpty, first: true, last: true, isSame };
    }
    const { first, isSame, last } = readBeyondAscii(body);
    return { isEmpty, first, last, isSame: isSame && !(max > 1 && first && last) };
  }
  const parts = childrenOf(node).map(readBeyondAscii);
  if (node.kind === 'alternation') {
    const has = (member: 'first' | 'last'): boolean => parts.some((part) => part[member]);
    return { isEmpty, first: has('first'), last: has('last'), isSame: parts.every((part) => part.isSame) };
  }
  return parts.reduce(
    (before, part): BeyondAscii => ({
      isEmpty: before.isEmpty && part.isEmpty,
      first: before.first || (before.isEmpty && part.first),
      last: part.last || (part.isEmpty && before.last),
      isSame: before.isSame && part.isSame && !(before.last && part.first),
    }),
    { isEmpty: true, first: false, last: false, isSame: true },
  );
}

function unwrap(node: PcreNode): PcreNode {
  return node.kind === 'group' ? unwrap(node.body) : node;
}

function countBeyondAscii({ members }: SetNode): number {
  return [...members].filter((byte) => byte > 0x7f).length;
}

interface PrintOptions {
  readonly target: 'document' | 'native' | 're2';
  readonly unicode: boolean;
  readonly isWholePattern: boolean;
}

interface PrintedPattern {
  readonly source: string;
  readonly groupNumbers: readonly number[];
  readonly wideningReasons: readonly string[];
}

const ASSERTIONS: Readonly<Record<AssertionKind, string>> = {
  start: '^',
  end: '$',
  'last-line-end': '(?=\\n?$)',
  boundary: '\\b',
  'no-boundary': '\\B',
};

export function printPattern(root: PcreNode, options: PrintOptions): PrintedPattern {
  const { isWholePattern, target, unicode } = options;
  const groupNumbers: number[] = [];
  const widened = new Set<string>();
  const isCapturing = target !== 'document' && !unicode;

  const printAlternatives = (node: PcreNode, last: boolean): string =>
    node.kind === 'alternation'
      ? node.options.map((option) => print(option, last)).join('|')
      : print(node, last);

  const print = (node: PcreNode, last: boolean): string => {
    switch (node.kind) {
      case 'set':
        if (target === 'document') return node.text;
        return target === 're2' ? toRe2(node.exact) : node.exact;
      case 'sequence':
        return node.items.map((item, i) => print(item, last && i === node.items.length - 1)).join('');
      case 'alternation':
        return `(?:${printAlternatives(node, false)})`;
      case 'group':
        if (!isCapturing) return print(node.body, last);
        groupNumbers.push(node.index);
        return `(${printAlternatives(node.body, false)})`;
      case 'repeat':
        // After an empty iteration, RE2 ends a repetition by other rules, which changes the groups.
        if (target === 're2' && isCapturing && node.max > 1 && isNullable(node.body))
          widened.add('a repetition of what may be empty');
        return `${printUnit(node.body)}${quantifier(node)}${node.isLazy && isCapturing ? '?' : ''}`;
      case 'widened':
        widened.add(node.what);
        return print(node.body, false);
      case 'assert':
        if (node.at === 'last-line-end' && last) return '\\n?$';
        // Words of Unicode have no boundary in ECMA-262 and RE2, and RE2 has no lookahead.
        if ((target === 're2' && node.at === 'last-line-end') || (unicode && node.at.endsWith('boundary'))) {
          widened.add('an assertion');
          return '';
        }
        return ASSERTIONS[node.at];
    }
  };

  const printUnit = (node: PcreNode): string => {
    const inner = isCapturing ? node : unwrap(node);
    return ['set', 'alternation', 'group'].includes(inner.kind)
      ? print(inner, false)
      : `(?:${print(inner, false)})`;
  };

  const source = printAlternatives(root, isWholePattern);
  return { source, groupNumbers, wideningReasons: [...widened] };
}

function quantifier({ max, min }: RepeatNode): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

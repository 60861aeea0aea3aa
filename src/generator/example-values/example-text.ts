import { type Json, ownMember } from '../../base/json.ts';
import { memoizeByString } from '../../base/memoize.ts';
import { ANYTHING, childrenOf, type PcreNode } from '../../base/pcre/ast.ts';
import { compilePattern, parseArgumentPattern } from '../../base/pcre/index.ts';
import NAMED_VALUES from './values.json' with { type: 'json' };

/** Longer names say nothing. */
const MAX_NAME_LENGTH = 100;

const toSnakeCase: (name: string) => string = memoizeByString((name) =>
  name
    .slice(0, MAX_NAME_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase(),
);

/** Usual values for a name or its last words: `email` for `author_email`. @param resource e.g. `widgets` */
export function listNamedValues(name: string, resource = ''): readonly Json[] {
  const values = ownMember(NAMED_VALUES, `${resource}.${name}`) ?? findByLastWords(toSnakeCase(name));
  return Array.isArray(values) ? values : values === undefined ? [] : [values];
}

function findByLastWords(words: string): Json | undefined {
  const next = words.indexOf('_') + 1;
  return ownMember(NAMED_VALUES, words) ?? (next === 0 ? undefined : findByLastWords(words.slice(next)));
}

const DATE_TIME = '2026-03-14T09:30:00';

/** By formats of JSON Schema, OpenAPI and WordPress, whose date-time has no offset. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-03-14',
  time: '09:30:00',
  'date-time': DATE_TIME,
  'date-time-local': DATE_TIME,
  email: 'ada@example.com',
  'hex-color': '#1e5a8c',
  ip: '192.0.2.7',
  ipv4: '192.0.2.7',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/winter-market',
  url: 'https://example.com/winter-market',
  uuid: '65f9647e-9ba2-48db-a142-a98b6cbab8ad',
};

const FORMATS_OF_NAMES: readonly (readonly [name: RegExp, format: string])[] = [
  [/(^|_)uuid$/, 'uuid'],
  [/(^|_)(date|modified|expires)(_gmt)?$|(^|_)date_(?!format)[a-z_]+$|_at(_gmt)?$/, 'date-time'],
  [/(^|_)(url|uri|link|href|website|src|source|thumbnail|avatar)$/, 'uri'],
];

export interface TextRules {
  readonly name: string;
  readonly resource?: string;
  readonly format: string;
  readonly pattern: string | undefined;
  readonly minLength: number;
  readonly unknown?: string | undefined;
  readonly maxLength: number;
}

const MAX_PATTERN_LENGTH = 2_000;

/** Meets format, pattern and length, if there is a simple text. */
export function createExampleText(rules: TextRules, pick: (count: number) => number): string {
  const { format, maxLength, minLength, name, pattern } = rules;
  const snake = toSnakeCase(name);
  const [, implied = ''] = FORMATS_OF_NAMES.find(([known]) => known.test(snake)) ?? [];
  const values = listNamedValues(name, rules.resource);
  const named = values[pick(values.length)];
  const isUrl = typeof named === 'string' && named.startsWith('https:');
  const base = String(
    (isUrl ? named : undefined) ??
      ownMember(FORMATS, format) ??
      named ??
      ownMember(FORMATS, implied) ??
      rules.unknown ??
      `Example ${snake.replaceAll('_', ' ').trim()}`.trim(),
  );
  const longer = base.padEnd(minLength, base.includes(' ') ? ` ${base}` : 'x');
  const text = longer.slice(0, maxLength).trimEnd().padEnd(minLength, 'x');
  if (pattern === undefined || pattern.length > MAX_PATTERN_LENGTH) return text;
  const compiled = compilePattern(pattern);
  return [text, '1'].find((each) => compiled.test(each)) ?? textOfPattern(pattern, pick) ?? text;
}

/** Ranges of characters by preference: letters, digits, capitals, printable ASCII, any. */
const CHARACTERS: readonly (readonly [least: number, most: number])[] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x21, 0x7e],
  [0, 0x10_ffff],
];

const MAX_REPETITIONS = 64;
const MAX_CHARACTERS = 500;

export function textOfPattern(pattern: string, pick: (count: number) => number): string | null {
  const parsed = parseArgumentPattern(pattern);
  const text = parsed.ok ? writePatternText(parsed.root, pick) : null;
  return text !== null && compilePattern(pattern).test(text) ? text : null;
}

/** Ignores lookaround and assertions, so the text might not match. */
function writePatternText(node: PcreNode, pick: (count: number) => number): string | null {
  const inside = (child: PcreNode): string | null => writePatternText(child, pick);
  switch (node.kind) {
    case 'set':
      return node.literal === undefined ? chooseCharacter(node.set) : String.fromCodePoint(node.literal);
    case 'alternation': {
      const chosen = pick(node.options.length);
      const options = [...node.options.slice(chosen), ...node.options.slice(0, chosen)];
      return options.map(inside).find((text) => text !== null) ?? null;
    }
    case 'repeat': {
      // Optional parts are left out, e.g. a final newline.
      const times = node.max === 1 ? node.min : Math.max(node.min, Math.min(node.max, 3));
      const body = times === 0 ? '' : inside(node.body);
      return body === null || times > MAX_REPETITIONS ? null : join([body.repeat(times)]);
    }
    case 'widened':
      return node.body === ANYTHING ? null : inside(node.body);
    default:
      return join(childrenOf(node).map(inside));
  }
}

function join(texts: readonly (string | null)[]): string | null {
  return texts.includes(null) ? null : texts.join('').slice(0, MAX_CHARACTERS);
}

function chooseCharacter(set: readonly (readonly [number, number])[]): string | null {
  for (const [least, most] of CHARACTERS) {
    for (const [from, to] of set) {
      const character = Math.max(from, least);
      if (character <= Math.min(to, most)) return String.fromCodePoint(character);
    }
  }
  return null;
}

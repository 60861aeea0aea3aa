import { type Json, ownMember } from '../../base/json.ts';
import { memoizeByString } from '../../base/memoize.ts';
import {
  compilePattern,
  type PatternTextStyle,
  parseArgumentPattern,
  writePatternText,
} from '../../base/pcre/index.ts';
import NAMED_VALUES from './values.json' with { type: 'json' };

/** Longer names say nothing. */
const MAX_NAME_LENGTH = 100;

/** `displayName` → `display_name` */
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

/** Formats of texts without one, by the end of their name. */
const FORMATS_OF_NAMES: readonly (readonly [name: RegExp, format: string])[] = [
  [/(^|_)uuid$/, 'uuid'],
  [/(^|_)(date|modified|expires)(_gmt)?$|(^|_)date_(?!format)[a-z_]+$|_at(_gmt)?$/, 'date-time'],
  [/(^|_)(url|uri|link|href|website|src|source|thumbnail|avatar)$/, 'uri'],
];

export interface TextRules {
  readonly name: string;
  /** Owner of the name, e.g. `widgets`. */
  readonly resource?: string;
  readonly format: string;
  readonly pattern: string | undefined;
  readonly minLength: number;
  /** Text of an unknown name. @default `Example` with the name */
  readonly unknown?: string | undefined;
  readonly maxLength: number;
}

/** A hostile pattern is long. */
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

const MAX_REPETITIONS = 64;

/** A letter if the pattern allows it, then a digit, then any character. */
const CHARACTERS: PatternTextStyle['characters'] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x21, 0x7e],
  [0, 0x10_ffff],
];

export function textOfPattern(pattern: string, pick: (count: number) => number): string | null {
  const parsed = parseArgumentPattern(pattern);
  // Optional parts are left out, e.g. a final newline.
  const repeat = (least: number, most: number): number => {
    const count = most === 1 ? least : Math.max(least, Math.min(most, 3));
    return count > MAX_REPETITIONS ? Number.POSITIVE_INFINITY : count;
  };
  const text = parsed.ok ? writePatternText(parsed.root, { characters: CHARACTERS, pick, repeat }) : null;
  return text !== null && compilePattern(pattern).test(text) ? text : null;
}

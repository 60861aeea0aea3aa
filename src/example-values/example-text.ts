import { childrenOf, type PcreNode } from '../pcre/ast.ts';
import { compilePattern, parseArgumentPattern } from '../pcre/index.ts';
import type { KeyedRandom } from './keyed-random.ts';
import plausibleTexts from './plausible-texts.json' with { type: 'json' };

/** What an example text is for. */
export interface TextWish {
  /** Name of the property that has the text; for a text inside of `title` or the like, that name. */
  readonly name: string;
  readonly format: string;
  readonly pattern: string | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  /** Determines the text. */
  readonly key: string;
}

const { places, things } = plausibleTexts;

/** Texts by the name of the property, in lower case with underscores. The first match applies; `*` stands for a subject. */
const TEXTS = plausibleTexts.texts.map(({ name, texts }) => ({ name: new RegExp(name), texts }));

/** A hostile pattern is long, and takes as long to read. */
const MAX_PATTERN_LENGTH = 2_000;

/** Creates a text. It has the format, pattern and length if there is a simple text that has them. */
export function createExampleText(wish: TextWish, random: KeyedRandom): string {
  const text = createPlainText(wish, random);
  if (wish.pattern === undefined || wish.pattern.length > MAX_PATTERN_LENGTH) return text;
  const pattern = compilePattern(wish.pattern);
  const matching = [text, toSlug(text), '1'].find((candidate) => pattern.test(candidate));
  return matching ?? textOfPattern(wish.pattern, (count) => random.pick(wish.key, count)) ?? text;
}

function createPlainText(wish: TextWish, random: KeyedRandom): string {
  const named = { ...wish, name: toSnakeCase(wish.name) };
  const known = FORMATS.find(([test]) => test(named));
  const text =
    known?.[1](named, random) ??
    createPlausibleText(named, random) ??
    capitalize(createSubject(wish.key, random));
  const { minLength, maxLength } = wish;
  const filler = text.includes(' ') ? ` ${text}` : 'x';
  return text.padEnd(minLength, filler).slice(0, maxLength).trimEnd().padEnd(minLength, 'x');
}

/**
 * Creates a text that a person would write for a property of this name.
 *
 * @returns `undefined` if the name is not known
 */
function createPlausibleText(
  { key, name }: Pick<TextWish, 'key' | 'name'>,
  random: KeyedRandom,
): string | undefined {
  const known = TEXTS.find((each) => each.name.test(toSnakeCase(name)))?.texts;
  const text = known?.[random.pick(`${key} text`, known.length)];
  return text?.replace('*', createSubject(key, random));
}

/** Creates a name of something, such as `winter market`. */
function createSubject(key: string, random: KeyedRandom): string {
  const place = places[random.pick(`${key} 0`, places.length)];
  return `${place} ${things[random.pick(`${key} 1`, things.length)]}`;
}

/** `displayName` → `display_name`. Longer names are cut. */
function toSnakeCase(name: string): string {
  return name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

type TextFactory = (wish: TextWish, random: KeyedRandom) => string;

/** Which texts have a form of their own: by format, else by the name of the property. The first match applies. */
const FORMATS: readonly (readonly [(wish: TextWish) => boolean, TextFactory])[] = [
  [({ format }) => format === 'uuid', createUuid],
  [
    ({ format }) => format === 'email',
    (wish, random) => createPlausibleText({ ...wish, name: 'email' }, random) ?? 'user@example.com',
  ],
  [({ format }) => format === 'hex-color', (wish, random) => `#${hex(wish, random, 6)}`],
  [
    ({ format }) => format === 'ip' || format === 'ipv4',
    (wish, random) => `192.0.2.${random.pick(wish.key, 254) + 1}`,
  ],
  [({ format }) => format === 'ipv6', () => '2001:db8::1'],
  [({ format }) => format === 'date', (wish, random) => createDate(wish, random).slice(0, 10)],
  [({ format }) => format === 'time', (wish, random) => createDate(wish, random).slice(11)],
  [
    ({ format, name }) =>
      format === 'date-time' || /(^|_)(date|date_gmt|modified|modified_gmt|deadline)$|_at$/.test(name),
    createDate,
  ],
  [
    ({ format, name }) =>
      format === 'uri' || format === 'url' || /(^|_)(url|uri|link|href|website)$/.test(name),
    (wish, random) => `https://example.com/${createSlug(wish, random)}`,
  ],
  [
    ({ name }) => /(^|_)(nonce|token|hash|secret|signature)$/.test(name),
    (wish, random) => hex(wish, random, 10),
  ],
  [({ name }) => /(^|_)(slug|id|key|code)$/.test(name), createSlug],
];

function createSlug({ key }: TextWish, random: KeyedRandom): string {
  return toSlug(createSubject(key, random));
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function hex({ key }: TextWish, random: KeyedRandom, length: number): string {
  return Array.from({ length }, (_, at) => random.pick(`${key} ${at}`, 16).toString(16)).join('');
}

function createUuid(wish: TextWish, random: KeyedRandom): string {
  const digits = hex(wish, random, 30);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-a${digits.slice(15, 18)}-${digits.slice(18)}`;
}

/** Names of what happens after an object was created. */
const LATE = /(^|_)(modified|updated|due|end|ended|until|before|expires|last|deadline|completed|closed)(_|$)/;

/** A local date and time as WordPress writes it, without an offset. The GMT form of a date has the same key as the date. */
function createDate({ key: stated, name }: TextWish, random: KeyedRandom): string {
  const key = stated.replace(/_gmt$/, '');
  const two = (value: number): string => String(value).padStart(2, '0');
  const month = random.pick(`${key} month`, 6) + (LATE.test(name) ? 7 : 1);
  const day = random.pick(`${key} day`, 28) + 1;
  const [hour, minute] = [random.pick(`${key} hour`, 10) + 8, random.pick(`${key} minute`, 60)];
  return `2026-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00`;
}

/** Maximum number of repetitions and of characters that are written for a pattern. */
const MAX_REPETITIONS = 64;

/** Creates a text that matches a pattern; `null` if the pattern is not simple. */
export function textOfPattern(pattern: string, pick: (count: number) => number): string | null {
  const parsed = parseArgumentPattern(pattern);
  const text = parsed.ok ? textOfNode(parsed.root, pick) : null;
  return text !== null && compilePattern(pattern).test(text) ? text : null;
}

function textOfNode(node: PcreNode, pick: (count: number) => number): string | null {
  switch (node.kind) {
    case 'set':
      return textOfSet(node.set);
    case 'alternation': {
      const option = node.options[pick(node.options.length)];
      return option === undefined ? null : textOfNode(option, pick);
    }
    case 'repeat': {
      // Optional parts are left out, such as a final newline.
      const count = node.max === 1 ? node.min : Math.max(node.min, Math.min(node.max, 3));
      const body = count > MAX_REPETITIONS ? null : textOfNode(node.body, pick);
      return body === null ? null : body.repeat(count);
    }
    case 'assert':
    case 'look':
      return '';
    case 'backreference':
    case 'opaque':
      return null;
    default:
      return joinTexts(childrenOf(node).map((child) => textOfNode(child, pick)));
  }
}

function joinTexts(texts: readonly (string | null)[]): string | null {
  return texts.includes(null) ? null : texts.join('').slice(0, 4_096);
}

/** A letter of the set if there is one, then a digit, then its first character. */
function textOfSet(ranges: readonly (readonly [number, number])[]): string | null {
  for (const [least, most] of [
    [0x61, 0x7a],
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x21, 0x7e],
    [0, 0x10_ffff],
  ] as const) {
    for (const [from, to] of ranges) {
      const character = Math.max(from, least);
      if (character <= Math.min(to, most)) return String.fromCodePoint(character);
    }
  }
  return null;
}

import type { Json } from '../json.ts';
import { childrenOf, type PcreNode } from '../pcre/ast.ts';
import { compilePattern, parseArgumentPattern } from '../pcre/index.ts';
import type { KeyedRandom } from './keyed-random.ts';
import plausibleValues from './plausible-values.json' with { type: 'json' };

/** What an example text is for. */
export interface TextWish {
  /** Name of the property that has the text; for a text inside of `title` or the like, that name. */
  readonly name: string;
  /** Name of the property, of the list or of the resource that contains it; empty if there is none. */
  readonly within: string;
  readonly format: string;
  readonly pattern: string | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  /** Determines the text. */
  readonly key: string;
}

/** A name of a value, and that of what contains it, in lower case with underscores. */
interface ValueNames {
  readonly name: string;
  readonly within: string;
}

/** Values that a person expects for a name. */
interface PlausibleValues<Value> {
  readonly name: RegExp;
  readonly within: RegExp | undefined;
  /** Whether the values belong to the same people, in the same order as those of other rows. */
  readonly isPerson: boolean;
  readonly values: readonly Value[];
}

const { places, things } = plausibleValues;

/** Texts by name. The first match applies; `*` stands for a subject. */
const TEXTS = compileTable<string>(plausibleValues.texts);
const NUMBERS = compileTable(plausibleValues.numbers);
/** Names of the members of an object that allows any, by the name of the object. */
const KEYS = compileTable(plausibleValues.keys);

function compileTable<Value>(
  table: readonly {
    readonly name: string;
    readonly in?: string;
    readonly person?: boolean;
    readonly values: readonly Value[];
  }[],
): readonly PlausibleValues<Value>[] {
  return table.map(({ name, in: within, person = false, values }) => ({
    isPerson: person,
    name: new RegExp(name),
    within: within === undefined ? undefined : new RegExp(within),
    values,
  }));
}

function findPlausible<Value>(
  table: readonly PlausibleValues<Value>[],
  { name, within }: ValueNames,
): PlausibleValues<Value> | undefined {
  const names = { name: toSnakeCase(name), within: toSnakeCase(within) };
  return table.find((each) => each.name.test(names.name) && (each.within?.test(names.within) ?? true));
}

/** Returns the allowed value that a person expects for a name, such as `EUR` for a currency. */
export function findPlausibleChoice(values: readonly Json[], names: ValueNames): string | undefined {
  return findPlausible(TEXTS, names)?.values.find((text) => values.includes(text));
}

/** Returns the numbers that a person expects for a name, such as `1200` for a width; none if the name says nothing. */
export function listPlausibleNumbers(names: ValueNames): readonly number[] {
  return findPlausible(NUMBERS, names)?.values ?? [];
}

/** Names two members of an object that allows any. */
export function listPlausibleKeys(names: ValueNames): readonly string[] {
  return findPlausible(KEYS, names)?.values ?? ['first', 'second'];
}

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
  const text =
    createByTable(FORMATS, named, random) ??
    createPlausibleText(named, random) ??
    createByTable(FORMS_OF_NAMES, named, random) ??
    createUnknownText(named, random);
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
  { key, name, within }: Pick<TextWish, 'key' | 'name' | 'within'>,
  random: KeyedRandom,
): string | undefined {
  const known = findPlausible(TEXTS, { name, within });
  if (known === undefined) return undefined;
  // The names and the address of one object belong to one person.
  const source = known.isPerson ? key.replace(/[^.]*$/, 'person') : `${key} text`;
  const text = known.values[random.pick(source, known.values.length)];
  return text?.replace('*', createSubject(key, random));
}

/** `Winter market` for what is seen by people, and `Example origin` for what is not known. */
function createUnknownText({ key, name }: TextWish, random: KeyedRandom): string {
  const words = name.replaceAll('_', ' ').trim();
  return words === '' || /(^| )(name|label|heading|headline|display)$/.test(words)
    ? capitalize(createSubject(key, random))
    : `Example ${words}`;
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
type TextFactories = readonly (readonly [(wish: TextWish) => boolean, TextFactory])[];

/** @returns `undefined` if no row applies */
function createByTable(table: TextFactories, wish: TextWish, random: KeyedRandom): string | undefined {
  return table.find(([test]) => test(wish))?.[1](wish, random);
}

/** Texts by their format. */
const FORMATS: TextFactories = [
  [({ format }) => format === 'uuid', createUuid],
  [
    ({ format }) => format === 'email',
    (wish, random) =>
      createPlausibleText({ ...wish, name: 'email', within: '' }, random) ?? 'user@example.com',
  ],
  [({ format }) => format === 'hex-color', (wish, random) => `#${hex(wish, random, 6)}`],
  [
    ({ format }) => format === 'ip' || format === 'ipv4',
    (wish, random) => `192.0.2.${random.pick(wish.key, 254) + 1}`,
  ],
  [({ format }) => format === 'ipv6', () => '2001:db8::1'],
  [({ format }) => format === 'date', (wish, random) => createDate(wish, random).slice(0, 10)],
  [({ format }) => format === 'time', (wish, random) => createDate(wish, random).slice(11)],
  [({ format }) => format === 'date-time', createDate],
  [({ format }) => format === 'uri' || format === 'url', createUrl],
];

/** Texts whose name tells their form. */
const FORMS_OF_NAMES: TextFactories = [
  [({ name }) => /(^|_)(uuid|guid)$/.test(name), createUuid],
  [
    ({ name }) => /(^|_)date(_(?!format)[a-z_]+)?$|(^|_)(modified|deadline)(_gmt)?$|_at$/.test(name),
    createDate,
  ],
  [
    ({ name }) => /(^|_)(url|uri|link|href|website|permalink|home|src|thumbnail|avatar)$/.test(name),
    createUrl,
  ],
  [
    ({ name }) => /(^|_)(nonce|token|hash|secret|signature)$/.test(name),
    (wish, random) => hex(wish, random, 10),
  ],
  [({ name }) => /_ids?$/.test(name), ({ key }, random) => String(random.pick(key, 90) + 10)],
  [({ name }) => /(^|_)(slug|id|key|code)$/.test(name), createSlug],
];

function createUrl(wish: TextWish, random: KeyedRandom): string {
  const { name, within } = wish;
  const isImage =
    /(^|_)(image|photo|thumbnail|cover|avatar|logo|icon)(_ur[il]|_src)?$|^(source_url|src)$/.test(name) ||
    /^(avatar_urls|avatars)$/.test(within);
  return `https://example.com/${isImage ? `uploads/${createSlug(wish, random)}.jpg` : createSlug(wish, random)}`;
}

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
const LATE =
  /(^|_)(modified|updated|due|to|end|ended|until|before|expires|last|deadline|completed|closed)(_|$)/;

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

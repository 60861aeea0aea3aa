import { type Json, mapMembers, ownMember } from '../json.ts';
import { memoizeByString } from '../memoize.ts';
import { capitalize } from '../model/naming/words.ts';
import {
  compilePattern,
  type PatternTextStyle,
  parseArgumentPattern,
  writePatternText,
} from '../pcre/index.ts';
import { STRING_FORMATS, STRING_KINDS } from '../validation/shapes/shape.ts';
import type { KeyedRandom } from './keyed-random.ts';
import plausibleValues from './plausible-values.json' with { type: 'json' };

/** Where a value stands, which determines it. */
export interface ValuePlace {
  /** Name of the property that has the value; for a text inside of `title` or the like, that name. */
  readonly name: string;
  /** Name of the property, of the list or of the resource that contains it; empty if there is none. */
  readonly within: string;
  /** Key of the whole example. What belongs together in it, such as a person, is the same in all of it. */
  readonly example: string;
  /** Determines what the texts of one object are about. */
  readonly object: string;
  /** Determines the value among others of the example. The items of a list have one key. */
  readonly key: string;
  /** Adds up the indexes in the lists that contain the value, so that items differ. */
  readonly index: number;
}

export interface TextWish extends ValuePlace {
  readonly format: string;
  readonly pattern: string | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  /** What texts in samples are like: a format, a kind, or the words that they have. */
  readonly fact?: string | undefined;
}

/** A name of a value, and that of what contains it, in lower case with underscores. */
type ValueNames = Pick<ValuePlace, 'name' | 'within'>;

/** Values that a person expects for a name. */
interface PlausibleValues<Value> {
  readonly name: RegExp;
  readonly within: RegExp | undefined;
  /** What the values belong to: a person, an address, a product. Those of one are at the same position in all its rows. */
  readonly of: string | undefined;
  readonly values: readonly Value[];
}

/** Returns the first row that applies to `<name>/<within>`, false if none does. Memoized: documents repeat names. */
type PlausibleTable<Value> = (names: string) => PlausibleValues<Value> | false;

const [places, things] = [plausibleValues.places.split(' '), plausibleValues.things.split(' ')];

/** The id of an example, in its path too. */
export const OWN_ID = 42;

/** Texts by name. The first match applies; `*` stands for a subject, and `people` for their names. */
const TEXTS = compileTable(
  mapMembers(plausibleValues.texts, (_, texts) =>
    typeof texts === 'string' ? plausibleValues.people : texts,
  ),
);
const NUMBERS = compileTable<number>(plausibleValues.numbers);
const BOOLEANS = compileTable<boolean>(plausibleValues.booleans);
/** Names of the members of an object that allows any, by the name of the object. */
const KEYS = compileTable<string>(plausibleValues.keys);

/** @param table values by the patterns of their names: `^rate$ in tax of address` */
function compileTable<Value>(table: Readonly<Record<string, readonly Value[]>>): PlausibleTable<Value> {
  const rows = Object.entries(table).map(([names, values]) => {
    const [, name = '', within, of] = /^(\S+)(?: in (\S+))?(?: of (\S+))?$/.exec(names) ?? [];
    return {
      name: new RegExp(name),
      within: within === undefined ? undefined : new RegExp(within),
      of,
      values,
    };
  });
  return memoizeByString((names) => {
    const [name = '', within = ''] = names.split('/');
    return rows.find((row) => row.name.test(name) && (row.within?.test(within) ?? true)) ?? false;
  });
}

function findPlausible<Value>(
  table: PlausibleTable<Value>,
  { name, within }: ValueNames,
): PlausibleValues<Value> | undefined {
  return table(`${toSnakeCase(name)}/${toSnakeCase(within)}`) || undefined;
}

/** Returns the values of a row, the one for this place first; empty if the name says nothing. */
function orderPlausible<Value>(
  table: PlausibleTable<Value>,
  place: ValuePlace,
  random: KeyedRandom,
): readonly Value[] {
  const { of, values = [] } = findPlausible(table, place) ?? {};
  const key = of === undefined ? `${place.key} value` : `${place.example} ${of}`;
  const first = (random.pick(key, values.length) + place.index) % Math.max(1, values.length);
  return [...values.slice(first), ...values.slice(0, first)];
}

/** Returns the allowed value that a person expects for a name, such as `EUR` for a currency. */
export function findPlausibleChoice(
  values: readonly Json[],
  place: ValuePlace,
  random: KeyedRandom,
): string | undefined {
  return orderPlausible(TEXTS, place, random).find((text) => values.includes(text));
}

/** Returns the numbers that a person expects for a name, such as `1200` for a width; none if the name says nothing. */
export function listPlausibleNumbers(place: ValuePlace, random: KeyedRandom): readonly number[] {
  return orderPlausible(NUMBERS, place, random);
}

const NULLS = new RegExp(plausibleValues.nulls);

/** Whether most objects have null in a property of this name, such as the date of what has not happened. */
export function isUsuallyNull({ name }: ValueNames): boolean {
  return NULLS.test(toSnakeCase(name));
}

/** What most objects have in a property of this name; `undefined` if the name says nothing. */
export function getPlausibleBoolean(names: ValueNames): boolean | undefined {
  return findPlausible(BOOLEANS, names)?.values[0];
}

/** Whether the texts of a name depend on what contains it. */
export function isNamedWithin(names: ValueNames): boolean {
  return findPlausible(TEXTS, names)?.within !== undefined;
}

/** Names two members of an object that allows any. */
export function listPlausibleKeys(names: ValueNames): readonly string[] {
  return findPlausible(KEYS, names)?.values ?? ['first', 'second'];
}

/** A hostile pattern is long, and takes as long to read. */
const MAX_PATTERN_LENGTH = 2_000;

/** Tells the items of a list apart, whose keys are equal. */
function seedOf({ index, key }: ValuePlace): string {
  return `${key} ${index}`;
}

/** Creates a text. It has the format, pattern and length if there is a simple text that has them. */
export function createExampleText(wish: TextWish, random: KeyedRandom): string {
  const text = createPlainText(wish, random);
  if (wish.pattern === undefined || wish.pattern.length > MAX_PATTERN_LENGTH) return text;
  const pattern = compilePattern(wish.pattern);
  const matching = [text, text.replace(/^.*\//, ''), toSlug(text), '1'].find((candidate) =>
    pattern.test(candidate),
  );
  return matching ?? textOfPattern(wish.pattern, (count) => random.pick(seedOf(wish), count)) ?? text;
}

function createPlainText(wish: TextWish, random: KeyedRandom): string {
  const named = { ...wish, name: toSnakeCase(wish.name) };
  const { fact = '', maxLength, minLength } = wish;
  const byName =
    ownMember(FORMATS, wish.format)?.(named, random) ??
    createPlausibleText(named, random) ??
    createOfName(named, random);
  const text = fact === '' ? byName : createOfFact(byName, { ...named, fact }, random);
  const written = text ?? createUnknownText(named, random);
  const filler = written.includes(' ') ? ` ${written}` : 'x';
  return written.padEnd(minLength, filler).slice(0, maxLength).trimEnd().padEnd(minLength, 'x');
}

/** Writes a text as samples are written, if it is not. A text that samples leave empty is so unless its name tells more. */
function createOfFact(
  byName: string | undefined,
  wish: TextWish & { readonly fact: string },
  random: KeyedRandom,
): string | undefined {
  const { fact } = wish;
  const [, listed] = /^one of (.+)$/.exec(fact) ?? [];
  if (listed !== undefined) {
    const words = listed.split(', ');
    if (byName !== undefined && words.includes(byName)) return byName;
    return words[random.pick(seedOf(wish), words.length)];
  }
  if (fact === 'empty') return byName ?? '';
  const kind = [...STRING_FORMATS, ...STRING_KINDS].find(({ name }) => name === fact);
  if (kind === undefined || (byName !== undefined && kind.test(byName))) return byName;
  // Lower case says less than the name.
  if (byName !== undefined && /^(?:slug|token|words)$/.test(fact)) return byName;
  const base = byName ?? createUnknownText(wish, random);
  const made = [
    ownMember(FORMATS, fact)?.({ ...wish, format: fact }, random),
    KIND_FACTORIES[fact]?.(base, wish, random),
  ];
  return made.find((each) => each !== undefined && kind.test(each)) ?? byName;
}

/** Writes a text, or another one in its place, as each kind is written. */
const KIND_FACTORIES: Readonly<
  Record<string, (text: string, wish: TextWish, random: KeyedRandom) => string>
> = {
  'two-decimals': (text) => (Number(text) > 0 ? Number(text).toFixed(2) : '19.90'),
  decimal: (text) => (Number(text) > 0 ? text : '1.5'),
  digits: (text, wish, random) =>
    text.replace(/\D/g, '').slice(0, 19) || String(random.pick(seedOf(wish), 90) + 10),
  version: () => '1.4.2',
  colour: (_, wish, random) => `#${hex(wish, random, 6)}`,
  hexadecimal: (_, wish, random) => hex(wish, random, 32),
  capitals: () => 'DE',
  path: (_, wish, random) => `/${createSlug(wish, random)}/`,
  slug: toSlug,
  'date-time': (_, wish, random) => `${createDate(wish, random)}Z`,
  html: (text) => `<p>${text}</p>`,
  token: toSlug,
  words: (_, wish, random) => capitalize(createSubject(wish, random)),
};

/**
 * Creates a text that a person would write for a property of this name.
 *
 * @returns `undefined` if the name is not known
 */
function createPlausibleText(place: ValuePlace, random: KeyedRandom): string | undefined {
  const [text] = orderPlausible(TEXTS, place, random);
  return text?.replace(/\*(?!@)/, createSubject(place, random));
}

/** `Winter market` for what is seen by people, and `Example origin` for what is not known. */
function createUnknownText(wish: TextWish, random: KeyedRandom): string {
  const { name } = wish;
  const words = name.replaceAll('_', ' ').trim();
  return words === '' || /(^| )(name|label|heading|headline|display)$/.test(words)
    ? capitalize(createSubject(wish, random))
    : `Example ${words}`;
}

/** Creates a name of something, such as `winter market`. */
function createSubject(from: ValuePlace, random: KeyedRandom): string {
  const pick = (part: string, count: number): number =>
    (random.pick(`${from.object} ${part}`, count) + from.index) % count;
  return `${places[pick('place', places.length)]} ${things[pick('thing', things.length)]}`;
}

/** `displayName` → `display_name`. Longer names are cut. */
export function toSnakeCase(name: string): string {
  return name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

type TextFactory = (wish: TextWish, random: KeyedRandom) => string;

const createIpv4: TextFactory = (wish, random) => `192.0.2.${random.pick(seedOf(wish), 254) + 1}`;

const createUri: TextFactory = (wish, random) => {
  const known = createPlausibleText(wish, random);
  return known?.startsWith('https://') ? known : createUrl(wish, random);
};

const FORMATS: Readonly<Record<string, TextFactory>> = {
  uuid: createUuid,
  email: (wish, random) =>
    createPlausibleText({ ...wish, name: 'email', within: '' }, random) ?? 'user@example.com',
  'hex-color': (wish, random) => {
    const text = createPlausibleText(wish, random) ?? '';
    return /^#[0-9a-f]{6}$/.test(text) ? text : `#${hex(wish, random, 6)}`;
  },
  ip: createIpv4,
  ipv4: createIpv4,
  ipv6: () => '2001:db8::1',
  date: (wish, random) => createDate(wish, random).slice(0, 10),
  time: (wish, random) => createDate(wish, random).slice(11),
  'date-time-local': createDate,
  'date-time': createDate,
  uri: createUri,
  url: createUri,
};

const FORMS_OF_NAMES: readonly (readonly [RegExp, TextFactory])[] = [
  [/(^|_)(uuid|guid)$/, createUuid],
  [/(^|_)date(_(?!format)[a-z_]+)?$|(^|_)(modified|deadline|expires|scheduled)(_gmt)?$|_at$/, createDate],
  [/(^|_)(url|uri|link|href|website|permalink|home|src|thumbnail|avatar)$/, createUrl],
  [/(^|_)(nonce|token|hash|secret|signature)$/, (wish, random) => hex(wish, random, 10)],
  [/^id$/, ({ index }) => String(OWN_ID + index)],
  [/(^|_)(slug|id|key|code)$/, createSlug],
];

function createOfName(wish: TextWish, random: KeyedRandom): string | undefined {
  const { name, within } = wish;
  if (/_ids?$/.test(name)) return String(createReferenceId(wish, random));
  if (/(^|_)(options|labels)$/.test(toSnakeCase(within))) return capitalize(name.replaceAll('_', ' '));
  return FORMS_OF_NAMES.find(([known]) => known.test(name))?.[1](wish, random);
}

/** What refers to something has one number in the whole reference, whether it is one or a text. */
export function createReferenceId({ index, name }: ValuePlace, random: KeyedRandom): number {
  return 10 + ((random.pick(toSnakeCase(name), 90) + 7 * index) % 90);
}

function createUrl(wish: TextWish, random: KeyedRandom): string {
  const { name, within } = wish;
  const isImage =
    /(^|_)(images?|photos?|thumbnail|cover|avatar|logo|icon)(_ur[il]|_src)?$|^(source_url|src)$/.test(name) ||
    /^(avatar_urls|avatars)$/.test(within);
  return `https://example.com/${isImage ? `uploads/${createSlug(wish, random)}.jpg` : createSlug(wish, random)}`;
}

function createSlug(wish: TextWish, random: KeyedRandom): string {
  return toSlug(createSubject(wish, random));
}

/** The slug of a title, as WordPress derives it. */
export function toSlug(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function hex(wish: TextWish, random: KeyedRandom, length: number): string {
  return Array.from({ length }, (_, at) => random.pick(`${seedOf(wish)} ${at}`, 16).toString(16)).join('');
}

function createUuid(wish: TextWish, random: KeyedRandom): string {
  const digits = hex(wish, random, 30);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-a${digits.slice(15, 18)}-${digits.slice(18)}`;
}

/** When something happens after the creation of an object, in minutes, by the name of its date. The first match applies. */
const DELAYS: readonly (readonly [name: RegExp, minutes: number])[] = [
  [/(^|_)(starts?|begins?)(_|$)/, 24 * 60],
  [/(^|_)(remind(er)?|next)(_|$)/, 20 * 24 * 60],
  [/(^|_)(due|to|end|ends|ended|until|before|expires|expiry|expiration|deadline)(_|$)/, 21 * 24 * 60],
  [/(^|_)(modified|updated|completed|closed|last|archived|active|activity)(_|$)/, 2 * 24 * 60 + 95],
  [/(^|_)(paid|committed|sent|joined|confirmed|published|read)(_|$)/, 20],
];

/**
 * A local date and time as WordPress writes it, without an offset. All dates of an example count from one: what was created is
 * modified later. The GMT form is the same, as at a site in GMT.
 */
function createDate({ example, index, name }: TextWish, random: KeyedRandom): string {
  const [, delay = 0] = DELAYS.find(([known]) => known.test(name)) ?? [];
  const days = random.pick(`${example} day`, 200) + index;
  const minutes = (8 + random.pick(`${example} hour`, 10)) * 60 + random.pick(`${example} minute`, 60);
  return new Date(Date.UTC(2026, 0, 1) + (days * 24 * 60 + minutes + delay) * 60_000)
    .toISOString()
    .slice(0, 19);
}

/** More repetitions are not written for a pattern. */
const MAX_REPETITIONS = 64;

/** A letter if the pattern allows it, then a digit, then any character. */
const CHARACTERS: PatternTextStyle['characters'] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x21, 0x7e],
  [0, 0x10_ffff],
];

/** Creates a text that matches a pattern; `null` if the pattern is not simple. */
export function textOfPattern(pattern: string, pick: (count: number) => number): string | null {
  const parsed = parseArgumentPattern(pattern);
  // Optional parts are left out, such as a final newline.
  const repeat = (least: number, most: number): number => {
    const count = most === 1 ? least : Math.max(least, Math.min(most, 3));
    return count > MAX_REPETITIONS ? Number.POSITIVE_INFINITY : count;
  };
  const text = parsed.ok ? writePatternText(parsed.root, { characters: CHARACTERS, pick, repeat }) : null;
  return text !== null && compilePattern(pattern).test(text) ? text : null;
}

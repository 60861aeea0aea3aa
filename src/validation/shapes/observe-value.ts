import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import {
  EMPTY_SHAPE,
  isPropertyName,
  type ListsShape,
  limitMembers,
  MAX_SHAPE_DEPTH,
  MAX_SHAPE_WORDS,
  mergeShapes,
  type ObjectsShape,
  type Shape,
  type StringsShape,
} from './shape.ts';

interface ObserveOptions {
  /** Whether short words are kept, which may be an enumeration. A running gateway keeps no part of a value. */
  readonly keepsWords: boolean;
  /** Maximum nesting of the shape. @default {@link MAX_SHAPE_DEPTH} */
  readonly maxDepth?: number;
}

/** Returns the shape of one value. */
export function observeValue(value: Json, options: ObserveOptions, depth = 0): Shape {
  const one = { ...EMPTY_SHAPE, count: 1 };
  switch (typeof value) {
    case 'string':
      return { ...one, strings: observeString(value, options) };
    case 'boolean':
      return { ...one, booleans: 1 };
    case 'number':
      return Number.isInteger(value) ? { ...one, integers: 1 } : { ...one, fractions: 1 };
    default:
      if (value === null) return { ...one, nulls: 1 };
      return isJsonObject(value)
        ? { ...one, objects: observeObject(value, options, depth) }
        : { ...one, lists: observeList(value, options, depth) };
  }
}

/** Words of an enumeration: identifiers, not sentences, names of people or numbers. */
const WORD = /^[a-z][a-z\d_-]{0,31}$/;

function observeString(text: string, { keepsWords }: ObserveOptions): StringsShape {
  const shape = { count: 1, formats: matchStringFormats(text), hasUnknownWords: !keepsWords };
  if (!keepsWords) return { ...shape, words: new Map() };
  return { ...shape, words: WORD.test(text) ? new Map([[text, 1]]) : null };
}

function observeList(list: readonly Json[], options: ObserveOptions, depth: number): ListsShape {
  const { maxDepth = MAX_SHAPE_DEPTH } = options;
  if (list.length === 0 || depth >= maxDepth)
    return { count: 1, empty: list.length === 0 ? 1 : 0, items: null };
  let items = EMPTY_SHAPE;
  for (const item of list) items = mergeShapes(items, observeValue(item, options, depth + 1));
  return { count: 1, empty: 0, items };
}

function observeObject(object: JsonObject, options: ObserveOptions, depth: number): ObjectsShape {
  const { maxDepth = MAX_SHAPE_DEPTH } = options;
  const entries = Object.entries(object);
  const shape = { count: 1, members: new Map<string, Shape>(), others: null, isMap: false };
  const isSelfKeyed = entries.every(([name, value]) => containsText(value, name));
  if (depth >= maxDepth) return { ...shape, isSelfKeyed, isCut: entries.length > 0 };
  let others: Shape | null = null;
  for (const [name, value] of entries) {
    const member = observeValue(value, options, depth + 1);
    if (isPropertyName(name)) shape.members.set(name, member);
    else others = others === null ? member : mergeShapes(others, member);
  }
  return limitMembers({ ...shape, others, isSelfKeyed, isCut: false });
}

/** Members of an item that name it. */
const IDENTIFYING_MEMBERS = ['slug', 'name', 'id', 'key', 'stylesheet'] as const;

/** Whether an object contains a text as one of its own identifiers. */
function containsText(value: Json, text: string): boolean {
  return (
    isJsonObject(value) &&
    IDENTIFYING_MEMBERS.some((name) => Object.hasOwn(value, name) && String(value[name]) === text)
  );
}

/** Whether the strings of a set are few words: {@link MAX_SHAPE_WORDS} at most, each seen at least twice. */
export function readEnumeration(
  { count, hasUnknownWords, words }: StringsShape,
  leastCount: number,
): readonly string[] | undefined {
  if (
    hasUnknownWords ||
    words === null ||
    words.size < 2 ||
    words.size > MAX_SHAPE_WORDS ||
    count < leastCount
  )
    return undefined;
  // Words that were seen once show that others are likely to exist (Good and Turing's estimate of what is unseen).
  return [...words.values()].some((seen) => seen < 2) ? undefined : [...words.keys()].sort();
}

/** A format that a shape claims if every string of a set has it. */
interface StringFormat {
  /** The value of `format`. */
  readonly name: string;
  readonly test: (text: string) => boolean;
}

/** A date and a time of day: the values are in range, so that `0000-00-00 00:00:00` is none. */
const DATE = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?';

/**
 * The formats, each with its own bit. `date-time` has an offset from UTC (RFC 3339). WordPress writes most dates without
 * one: `2026-01-05T09:00:00`, the format `date-time-local` of the OpenAPI Format Registry.
 */
export const STRING_FORMATS: readonly StringFormat[] = [
  { name: 'date-time', test: toTest(new RegExp(`^${DATE}T${TIME}(?:Z|[+-]\\d\\d:\\d\\d)$`)) },
  { name: 'date-time-local', test: toTest(new RegExp(`^${DATE}T${TIME}$`)) },
  { name: 'date', test: toTest(new RegExp(`^${DATE}$`)) },
  {
    name: 'email',
    test: toTest(/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8}$/),
  },
  {
    name: 'uri',
    test: (text) => /^(?:https?|ftp|mailto|tel|urn|data):[!-~]+$/i.test(text) && URL.canParse(text),
  },
  { name: 'uuid', test: toTest(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/) },
];

/** Longer strings have no format. */
const MAX_FORMAT_LENGTH = 2048;

function toTest(pattern: RegExp): StringFormat['test'] {
  return (text) => pattern.test(text);
}

/** Returns the bit mask of the formats that a string has. */
function matchStringFormats(text: string): number {
  if (text === '' || text.length > MAX_FORMAT_LENGTH) return 0;
  let mask = 0;
  for (const [bit, { test }] of STRING_FORMATS.entries()) if (test(text)) mask |= 1 << bit;
  return mask;
}

/** Returns the name of the first format of a bit mask; `undefined` if it has none. */
export function nameStringFormat(mask: number): string | undefined {
  return STRING_FORMATS.find((_, bit) => (mask & (1 << bit)) !== 0)?.name;
}

import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { limitMembers, mergeShapes } from './merge-shapes.ts';
import {
  EMPTY_SHAPE,
  isPropertyName,
  type ListsShape,
  MAX_SHAPE_DEPTH,
  MAX_SHAPE_WORDS,
  type ObjectsShape,
  type Shape,
  type StringsShape,
} from './shape.ts';
import { matchStringFormats } from './string-formats.ts';

export interface ObserveOptions {
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

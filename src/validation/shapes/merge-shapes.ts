import {
  type ListsShape,
  MAX_SHAPE_MEMBERS,
  MAX_SHAPE_WORDS,
  type ObjectsShape,
  type Shape,
  type StringsShape,
} from './shape.ts';

/** Merges the shapes of two sets of values. The result depends neither on the order nor on the grouping of merges. */
export function mergeShapes(one: Shape, other: Shape): Shape {
  return {
    count: one.count + other.count,
    nulls: one.nulls + other.nulls,
    booleans: one.booleans + other.booleans,
    integers: one.integers + other.integers,
    fractions: one.fractions + other.fractions,
    strings: mergeIfBoth(one.strings, other.strings, mergeStrings),
    lists: mergeIfBoth(one.lists, other.lists, mergeLists),
    objects: mergeIfBoth(one.objects, other.objects, mergeObjects),
  };
}

/** Merges shapes of which either may be missing. */
export function mergeIfBoth<Part>(
  one: Part | null,
  other: Part | null,
  merge: (one: Part, other: Part) => Part,
): Part | null {
  if (one === null) return other;
  return other === null ? one : merge(one, other);
}

function mergeStrings(one: StringsShape, other: StringsShape): StringsShape {
  return {
    count: one.count + other.count,
    formats: one.formats & other.formats,
    words: one.words === null || other.words === null ? null : mergeWords(one.words, other.words),
    hasUnknownWords: one.hasUnknownWords || other.hasUnknownWords,
  };
}

function mergeWords(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> | null {
  const words = new Map(one);
  for (const [word, count] of other) words.set(word, (words.get(word) ?? 0) + count);
  return words.size > MAX_SHAPE_WORDS ? null : words;
}

function mergeLists(one: ListsShape, other: ListsShape): ListsShape {
  return {
    count: one.count + other.count,
    empty: one.empty + other.empty,
    items: mergeIfBoth(one.items, other.items, mergeShapes),
  };
}

function mergeObjects(one: ObjectsShape, other: ObjectsShape): ObjectsShape {
  const members = new Map(one.members);
  for (const [name, shape] of other.members) {
    const known = members.get(name);
    members.set(name, known === undefined ? shape : mergeShapes(known, shape));
  }
  return limitMembers({
    count: one.count + other.count,
    members,
    others: mergeIfBoth(one.others, other.others, mergeShapes),
    isMap: one.isMap || other.isMap,
    isSelfKeyed: one.isSelfKeyed && other.isSelfKeyed,
    isCut: one.isCut || other.isCut,
  });
}

/** Turns objects with too many names into maps, which have no names. */
export function limitMembers(objects: ObjectsShape): ObjectsShape {
  if (!objects.isMap && objects.members.size <= MAX_SHAPE_MEMBERS) return objects;
  return toMapShape(objects);
}

/** Forgets the names of members: their values become the values of a map. */
export function toMapShape(objects: ObjectsShape): ObjectsShape {
  let { others } = objects;
  for (const member of objects.members.values())
    others = others === null ? member : mergeShapes(others, member);
  return { ...objects, members: new Map(), others, isMap: true };
}

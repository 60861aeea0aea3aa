/**
 * What a set of JSON values has in common: their types, the names of their members, and counts. Merging the shapes of two
 * sets gives the shape of both, in any order. The shape of a site's responses contains no values except short words that
 * could be an enumeration, and those only where the observer keeps them.
 */
export interface Shape {
  /** Number of values. */
  readonly count: number;
  readonly nulls: number;
  readonly booleans: number;
  /** Numbers without a fraction. */
  readonly integers: number;
  /** Numbers with a fraction. */
  readonly fractions: number;
  readonly strings: StringsShape | null;
  readonly lists: ListsShape | null;
  readonly objects: ObjectsShape | null;
}

/** The strings of a set of values. */
export interface StringsShape {
  readonly count: number;
  /** Bit mask of the formats that every string has. */
  readonly formats: number;
  /** Number of occurrences of each string that was compared; `null` if they are too many, or no words. */
  readonly words: ReadonlyMap<string, number> | null;
  /** Whether strings were seen of which no words are kept. */
  readonly hasUnknownWords: boolean;
}

/** The lists of a set of values. */
export interface ListsShape {
  readonly count: number;
  /** Number of lists without items. PHP writes an object without members as an empty list. */
  readonly empty: number;
  /** The items of all lists; `null` if there are none, or if they nest too deep. */
  readonly items: Shape | null;
}

/** The objects of a set of values. */
export interface ObjectsShape {
  readonly count: number;
  /** The members of all objects by name. `count` of a member is the number of objects that have it. */
  readonly members: ReadonlyMap<string, Shape>;
  /** The values of members whose names are data: ids, addresses, texts, or more names than are kept; `null` if none. */
  readonly others: Shape | null;
  /** Whether the objects are maps: they have more names than are kept, or their names are no properties. */
  readonly isMap: boolean;
  /** Whether each member contains its own name, as the items of an object keyed by name do. */
  readonly isSelfKeyed: boolean;
  /** Whether members were left out, because they nest too deep. */
  readonly isCut: boolean;
}

/** The shape of no values. */
export const EMPTY_SHAPE: Shape = {
  count: 0,
  nulls: 0,
  booleans: 0,
  integers: 0,
  fractions: 0,
  strings: null,
  lists: null,
  objects: null,
};

/** Maximum number of names that a shape keeps of one object. An object with more names is a map. */
export const MAX_SHAPE_MEMBERS = 200;
/** Maximum nesting of a shape. */
export const MAX_SHAPE_DEPTH = 12;
/** Maximum number of distinct words of an enumeration. */
export const MAX_SHAPE_WORDS = 8;

/** Names that JavaScript treats in a special way. */
const HOSTILE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a name can be that of a property. Other names are data: numbers, digests, addresses, dates, titles. */
export function isPropertyName(name: string): boolean {
  return (
    /^[A-Za-z_$][\w.:$-]{0,63}$/.test(name) &&
    !/^(?=.*\d)[0-9a-f-]{16,}$/i.test(name) &&
    !HOSTILE_NAMES.has(name)
  );
}

/** The number of nodes of a shape. */
export function countShapeNodes({ lists, objects }: Shape): number {
  let nodes = 1;
  if (lists?.items) nodes += countShapeNodes(lists.items);
  if (objects?.others) nodes += countShapeNodes(objects.others);
  for (const member of objects?.members.values() ?? []) nodes += countShapeNodes(member);
  return nodes;
}

/** Removes what nests deeper than `depth`. Of the values there, only the types remain. */
export function pruneShape(shape: Shape, depth: number): Shape {
  const { lists, objects } = shape;
  return {
    ...shape,
    lists: lists && {
      ...lists,
      items: lists.items === null || depth <= 0 ? null : pruneShape(lists.items, depth - 1),
    },
    objects: objects && pruneObjects(objects, depth),
  };
}

function pruneObjects(objects: ObjectsShape, depth: number): ObjectsShape {
  const { members, others } = objects;
  if (depth <= 0) return { ...objects, members: new Map(), others: null, isCut: true };
  return {
    ...objects,
    members: new Map(Array.from(members, ([name, member]) => [name, pruneShape(member, depth - 1)])),
    others: others && pruneShape(others, depth - 1),
  };
}

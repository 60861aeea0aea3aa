import { HAL_MEMBERS } from '../response/applicators.ts';
import { mergeShapes, toMapShape } from './merge-shapes.ts';
import { EMPTY_SHAPE, type ObjectsShape, type Shape } from './shape.ts';

/** An object with at least this many members of one scalar type is a map: capabilities, options, counts by name. */
const MANY_MEMBERS = 30;

/**
 * Whether objects are maps, whose names are data, or records, whose names are properties. Small sets of names that all
 * objects have are records. Names that differ from object to object, and names that repeat a member of their own value,
 * are data.
 */
export function isMapShape({ count, isMap, isSelfKeyed, members, others }: ObjectsShape): boolean {
  if (isMap) return true;
  const shapes = [...members.values()];
  if (members.size === 0) return others !== null;
  const occurrences = shapes.reduce((sum, member) => sum + member.count, 0);
  if (others !== null && others.count * 2 >= occurrences) return true;
  const areObjects = shapes.every(
    ({ objects, nulls, count: seen }) => objects !== null && objects.count + nulls === seen,
  );
  if (areObjects && members.size >= 2 && isSelfKeyed) return true;
  if (areObjects && members.size >= 3 && haveSimilarNames(shapes)) return true;
  const hasOneType = countTypes(shapes) === 1;
  const isScalar = shapes.every(({ lists, objects }) => lists === null && objects === null);
  if (members.size >= MANY_MEMBERS && hasOneType && isScalar) return true;
  // The mean share of objects that have a name.
  const share = occurrences / (members.size * Math.max(1, count));
  if (count < 4) return false;
  return (members.size >= 6 && share <= 0.4 && hasOneType) || (members.size >= 20 && share <= 0.15);
}

/** Returns the values of a map. */
export function mapValues(objects: ObjectsShape): Shape {
  return toMapShape(objects).others ?? EMPTY_SHAPE;
}

/** Forgets the names of all maps, because they are data. */
export function forgetMapNames(shape: Shape): Shape {
  const { lists, objects } = shape;
  return {
    ...shape,
    lists: lists && { ...lists, items: lists.items && forgetMapNames(lists.items) },
    objects: objects && forgetNames(objects),
  };
}

function forgetNames(objects: ObjectsShape): ObjectsShape {
  const { members, others } = isMapShape(objects) ? toMapShape(objects) : objects;
  return {
    ...objects,
    members: new Map(
      // The names in HAL members are relations, which are part of the interface although they vary.
      Array.from(members, ([name, member]) => [
        name,
        HAL_MEMBERS.has(name) ? member : forgetMapNames(member),
      ]),
    ),
    others: others && forgetMapNames(others),
    isMap: objects.isMap || isMapShape(objects),
  };
}

function haveSimilarNames(shapes: readonly Shape[]): boolean {
  const sets = shapes.flatMap(({ objects }) => (objects === null ? [] : [new Set(objects.members.keys())]));
  const union = new Set(sets.flatMap((set) => [...set]));
  const common = [...union].filter((name) => sets.every((set) => set.has(name)));
  return union.size >= 2 && common.length >= union.size * 0.6;
}

/** The number of types of all values, without null. Numbers with and without a fraction are one type. */
function countTypes(shapes: readonly Shape[]): number {
  const all = shapes.reduce(mergeShapes, EMPTY_SHAPE);
  return [
    all.booleans > 0,
    all.integers + all.fractions > 0,
    all.strings !== null,
    all.lists !== null,
    all.objects !== null,
  ].filter(Boolean).length;
}

import { isMapShape, type ObjectsShape, type Shape } from '../../validation/shapes/index.ts';

/** Share of common names from which two sets of objects can be one resource. */
const LEAST_COMMON_NAMES = 0.85;
/** Number of objects without a member from which the member does not belong to them. */
const ABSENCE_EVIDENCE = 3;
/** Nesting down to which members are compared. */
const MAX_COMPARED_DEPTH = 3;

/** The share of the names of two sets that both have. */
export function shareOfNames(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const name of one) if (other.has(name)) common += 1;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}

/** The names of objects without those of HAL. */
export function resourceNames({ members }: ObjectsShape): ReadonlySet<string> {
  return new Set([...members.keys()].filter((name) => name !== '_links' && name !== '_embedded'));
}

/** Whether two sets of objects are one resource: nearly the same names, and the same types of their members. */
export function areSameResource(one: ObjectsShape, other: ObjectsShape, depth = 0): boolean {
  if (isMapShape(one) || isMapShape(other)) return true;
  const names = [resourceNames(one), resourceNames(other)] as const;
  if (depth === 0 && shareOfNames(...names) < LEAST_COMMON_NAMES) return false;
  return [...new Set([...names[0], ...names[1]])].every((name) => {
    const [first, second] = [one.members.get(name), other.members.get(name)];
    if (first === undefined || second === undefined) return !isAlwaysAndNever(one, other, name);
    return haveSameTypes(first, second, depth);
  });
}

/** Whether all objects of one set have a member, and none of the other, which are enough to know. */
function isAlwaysAndNever(one: ObjectsShape, other: ObjectsShape, name: string): boolean {
  return [
    [one, other],
    [other, one],
  ].some(
    ([having, lacking]) =>
      having !== undefined &&
      lacking !== undefined &&
      having.members.get(name)?.count === having.count &&
      lacking.count >= ABSENCE_EVIDENCE,
  );
}

function haveSameTypes(one: Shape, other: Shape, depth: number): boolean {
  const [types, otherTypes] = [typesOf(one), typesOf(other)];
  if (types.length > 0 && otherTypes.length > 0 && !types.some((type) => otherTypes.includes(type)))
    return false;
  if (one.objects === null || other.objects === null || depth >= MAX_COMPARED_DEPTH) return true;
  return areSameResource(one.objects, other.objects, depth + 1);
}

/** The types of values other than null. An empty list has the type of an object as well. */
function typesOf({ booleans, fractions, integers, lists, objects, strings }: Shape): readonly string[] {
  return [
    ...(booleans > 0 ? ['boolean'] : []),
    ...(integers + fractions > 0 ? ['number'] : []),
    ...(strings === null ? [] : ['string']),
    ...(lists === null ? [] : ['array']),
    ...(objects === null && (lists === null || lists.empty === 0) ? [] : ['object']),
  ];
}

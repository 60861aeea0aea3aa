import { isMapShape, mapValues, type ObjectsShape, type Shape } from '../../validation/shapes/index.ts';

/** Where objects stand in the responses of an operation. */
export interface ObjectPlace {
  readonly objects: ObjectsShape;
  /**
   * - `resource`: the response itself, an item of its list, or a value of its map
   * - `nested`: a member of one of those
   */
  readonly role: 'resource' | 'nested';
  /** Name of the nearest member above; empty for a resource. */
  readonly memberName: string;
  /** Whether the objects are items of a list or values of a map. */
  readonly isItem: boolean;
  /** Number of members above. */
  readonly depth: number;
}

/** Finds all objects in the shape of a response that are records. */
export function findObjectPlaces(shape: Shape): readonly ObjectPlace[] {
  const places: ObjectPlace[] = [];
  collect(shape, { role: 'resource', memberName: '', isItem: false, depth: 0 }, places);
  return places;
}

function collect(shape: Shape, place: Omit<ObjectPlace, 'objects'>, places: ObjectPlace[]): void {
  const { lists, objects } = shape;
  if (lists?.items) collect(lists.items, { ...place, isItem: true }, places);
  if (objects === null) return;
  if (isMapShape(objects)) {
    collect(mapValues(objects), { ...place, isItem: true }, places);
    return;
  }
  places.push({ ...place, objects });
  for (const [memberName, member] of objects.members) {
    if (memberName === '_links') continue;
    collect(member, { role: 'nested', memberName, isItem: false, depth: place.depth + 1 }, places);
  }
}

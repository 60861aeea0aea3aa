import type { Json, JsonObject } from '../json.ts';
import { toSnakeCase } from './example-text.ts';
import plausibleValues from './plausible-values.json' with { type: 'json' };

/** Of two members, the one whose name matches has the lesser value. The name of the other is a pattern with its groups. */
const ORDERED = Object.entries(plausibleValues.agreements).map(([lesser, greater]) => ({
  lesser: new RegExp(lesser),
  greater,
}));

/** Largest object whose members are compared with one another. */
const MAX_MEMBERS = 200;

/**
 * Orders the members of an object by their names: the start comes before the end, and a part is no greater than the whole.
 *
 * @param isFree whether a member may have another value
 */
export function orderMembers(object: JsonObject, isFree: (name: string) => boolean): JsonObject {
  const names = Object.keys(object);
  if (names.length < 2 || names.length > MAX_MEMBERS) return object;
  const members = new Map(Object.entries(object));
  for (const [lesser, greater] of findOrdered(names)) {
    const [one, other] = [members.get(lesser), members.get(greater)];
    if (one === undefined || other === undefined || !isGreater(one, other)) continue;
    if (isFree(lesser)) members.set(lesser, other);
    if (isFree(greater)) members.set(greater, one);
  }
  return Object.fromEntries(members);
}

/** The pairs of members of which the first has the lesser value. */
function findOrdered(names: readonly string[]): readonly (readonly [lesser: string, greater: string])[] {
  const written = new Map(names.map((name) => [toSnakeCase(name), name]));
  return [...written].flatMap(([snake, name]) =>
    ORDERED.flatMap(({ greater, lesser }) => {
      if (!lesser.test(snake)) return [];
      const other = new RegExp(`^(?:${snake.replace(lesser, greater)})$`);
      const found = [...written].find(([each]) => each !== snake && other.test(each));
      return found === undefined ? [] : [[name, found[1]] as const];
    }),
  );
}

/** Whether both are numbers, texts of numbers, or dates, and the first is greater. */
function isGreater(one: Json, other: Json): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one > other;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const areNumbers = [one, other].every((text) => /^-?\d+(?:\.\d+)?$/.test(text));
  const areDates = [one, other].every((text) => /^\d{4}-\d\d-\d\d/.test(text));
  return areNumbers ? Number(one) > Number(other) : areDates && one > other;
}

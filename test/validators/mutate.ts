import fc from 'fast-check';
import { isJsonObject, type Json } from '../../src/json.ts';

const REPLACEMENTS: readonly Json[] = [null, true, 0, 1.5, '', 'x'.repeat(400), [], ['x', 'x'], {}, { x: 1 }];

/** One change of a JSON value: where, and what happens there. */
export const mutation: fc.Arbitrary<{ readonly place: number; readonly action: number }> = fc.record({
  place: fc.nat({ max: 10_000 }),
  action: fc.nat({ max: REPLACEMENTS.length + 1 }),
});

/** Replaces a part of a value, deletes it, or adds a member beside it. */
export function mutate(
  value: Json,
  { place, action }: { readonly place: number; readonly action: number },
): Json {
  const paths = [...pathsIn(value, [])];
  return change(value, paths[place % paths.length] ?? [], action);
}

function* pathsIn(value: Json, path: readonly string[]): Generator<readonly string[]> {
  yield path;
  if (typeof value !== 'object' || value === null || path.length > 6) return;
  for (const [name, member] of Object.entries(value).slice(0, 60)) yield* pathsIn(member, [...path, name]);
}

function change(value: Json, [name, ...rest]: readonly string[], action: number): Json {
  if (name === undefined) {
    return isJsonObject(value) && action > REPLACEMENTS.length
      ? { ...value, added: 1 }
      : (REPLACEMENTS[action % REPLACEMENTS.length] ?? null);
  }
  if (Array.isArray(value)) {
    const list: readonly Json[] = value;
    return list.map((item, index) => (String(index) === name ? change(item, rest, action) : item));
  }
  if (!isJsonObject(value)) return value;
  if (rest.length === 0 && action === REPLACEMENTS.length) {
    return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  }
  return { ...value, [name]: change(value[name] ?? null, rest, action) };
}

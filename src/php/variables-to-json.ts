import type { Json } from '../json.ts';
import { decodeByteString } from './byte-string.ts';
import type { PhpArray, PhpValue } from './variables.ts';

/** Converts PHP variables to JSON: an array with the keys 0, 1, 2, … becomes a list, any other an object. */
export function phpArrayToJsonMembers(variables: PhpArray): ReadonlyMap<string, Json> {
  return new Map([...variables].map(([name, value]) => [decodeByteString(name), phpValueToJson(value)]));
}

function phpValueToJson(value: PhpValue): Json {
  if (typeof value === 'string') return decodeByteString(value);
  const keys = [...value.keys()];
  if (keys.every((key, index) => key === String(index))) return [...value.values()].map(phpValueToJson);
  return Object.fromEntries(
    [...value].map(([key, member]) => [decodeByteString(key), phpValueToJson(member)]),
  );
}

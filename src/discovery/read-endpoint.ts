import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Note } from './findings.ts';
import type { IndexArgument, IndexEndpoint } from './site.ts';
import {
  below,
  isList,
  isReservedName,
  isTooDeep,
  member,
  objectOrEmptyList,
  type Position,
  shown,
} from './values.ts';

const KNOWN_KEYS: ReadonlySet<string> = new Set(['methods', 'args', 'allow_batch']);

/** Reads one endpoint. `undefined` where there is none to read; `routeMethods` stand in for methods it lacks. */
export function readEndpoint(
  value: Json,
  ordinal: number,
  position: Position,
  routeMethods: readonly string[],
  note: Note,
): IndexEndpoint | undefined {
  if (!isJsonObject(value)) {
    note('endpoint-not-an-object', { ...position, detail: `It is ${shown(value)}.` });
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!KNOWN_KEYS.has(key)) note('unknown-key', { ...below(position, key) });
  }
  return {
    position: ordinal,
    methods: endpointMethods(value, position, routeMethods, note),
    args: readArguments(member(value, 'args'), below(position, 'args'), note),
    allowBatch: readAllowBatch(member(value, 'allow_batch'), below(position, 'allow_batch'), note),
  };
}

function endpointMethods(
  endpoint: JsonObject,
  position: Position,
  routeMethods: readonly string[],
  note: Note,
): readonly string[] {
  const methods = readMethods(member(endpoint, 'methods'), below(position, 'methods'), note);
  if (methods.length > 0) return methods;
  note('methods-missing', below(position, 'methods'));
  return routeMethods;
}

/** Methods as a list, a text (`'POST, PUT, PATCH'` is a constant of WordPress), or an object (its own registry). */
export function readMethods(value: Json | undefined, position: Position, note: Note): readonly string[] {
  const methods = new Set<string>();
  for (const stated of statedMethods(value, position, note)) {
    const method = typeof stated === 'string' ? stated.trim() : '';
    const upper = method.toUpperCase();
    // RFC 9110 §9.1: a method is a token.
    if (!/^[!#$%&'*+.^_`|~0-9A-Z-]{1,64}$/.test(upper)) {
      note('method-not-a-token', { ...position, detail: `It is ${shown(stated)}.` });
      continue;
    }
    if (upper !== method) note('method-case', { ...position, detail: `It is "${method}".` });
    if (methods.has(upper)) note('method-duplicate', { ...position, detail: `It is ${upper}.` });
    methods.add(upper);
  }
  return [...methods];
}

function statedMethods(value: Json | undefined, position: Position, note: Note): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (isList(value)) return value;
  if (typeof value === 'string') {
    note('methods-as-text', { ...position, detail: `It is ${shown(value)}.` });
    return value.split(/[,|]/).filter((part) => part.trim() !== '');
  }
  if (!isJsonObject(value)) return [value];
  note('methods-as-object', position);
  // {"GET": true, "POST": false} is the registry; {"0": "GET", "2": "POST"} is a list that lost a member.
  return Object.entries(value).flatMap(([name, on]) => {
    if (typeof on === 'string' && /^\d+$/.test(name)) return [on];
    return on === false || on === null ? [] : [name];
  });
}

function readArguments(value: Json | undefined, position: Position, note: Note): readonly IndexArgument[] {
  if (value === undefined) {
    note('args-missing', position);
    return [];
  }
  if (isList(value) && value.length > 0) {
    // WordPress reads `'args' => ['context']` as an argument that is named "0".
    note('args-as-list', position);
    return value.map((item, index) => readArgument(String(index), item, below(position, index), note));
  }
  const args = objectOrEmptyList(value, position, note);
  if (args === undefined) {
    note('args-not-an-object', { ...position, detail: `They are ${shown(value)}.` });
    return [];
  }
  return Object.entries(args).map(([name, item]) => readArgument(name, item, below(position, name), note));
}

function readArgument(name: string, value: Json, position: Position, note: Note): IndexArgument {
  if (isReservedName(name)) note('reserved-name', { ...position, detail: `It is "${name}".` });
  const declaration = objectOrEmptyList(value, position, note);
  if (declaration === undefined) {
    note('argument-not-an-object', { ...position, detail: `It is ${shown(value)}.` });
    return { name, declaration: {} };
  }
  if (!isTooDeep(declaration)) return { name, declaration };
  note('too-deep', position);
  return { name, declaration: {} };
}

/** The site itself asks `allow_batch['v1']`, which anything but an object answers with no. */
function readAllowBatch(value: Json | undefined, position: Position, note: Note): boolean {
  if (isJsonObject(value)) return Boolean(member(value, 'v1'));
  const absent = value === undefined || value === null || value === false || (isList(value) && !value.length);
  if (!absent) note('allow-batch-not-an-object', { ...position, detail: `It is ${shown(value)}.` });
  return false;
}

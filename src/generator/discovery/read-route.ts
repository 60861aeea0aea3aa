import { isJsonObject, type Json, type JsonObject, memberAt, ownMember } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type IndexPlace, isJsonArray, readObject } from './index-values.ts';
import type { IndexArgument, IndexEndpoint, IndexRoute } from './site.ts';

/** Never throws: invalid parts are dropped and reported. */
export function readIndexRoute(
  pattern: string,
  namespace: string,
  route: JsonObject,
  place: IndexPlace,
): IndexRoute {
  if (!pattern.startsWith('/')) place.report('route-without-slash');
  const schema = readResponseSchema(ownMember(route, 'schema'), place.below('schema'));
  return {
    pattern,
    namespace,
    endpoints: readEndpoints(route, place),
    ...omitUndefined({ schema }),
  };
}

function readResponseSchema(value: Json | undefined, place: IndexPlace): JsonObject | undefined {
  if (value === undefined) return undefined;
  const schema = readObject(value);
  if (schema === undefined) {
    place.reportValue('schema-not-an-object', value);
    return undefined;
  }
  return Object.keys(schema).length === 0 ? undefined : schema;
}

function readEndpoints(route: JsonObject, place: IndexPlace): readonly IndexEndpoint[] {
  const all = place.below('endpoints');
  const endpoints = listEndpoints(route, all);
  if (endpoints.length === 0) place.report('no-endpoints');
  return endpoints.flatMap(([key, value], ordinal) => {
    const number = /^\d{1,9}$/.test(String(key)) ? Number(key) : ordinal;
    return readIndexEndpoint(value, number, all.below(key)) ?? [];
  });
}

/** PHP writes a list that lost a member as an object. */
function listEndpoints(route: JsonObject, place: IndexPlace): readonly (readonly [string | number, Json])[] {
  const value = ownMember(route, 'endpoints');
  if (isJsonArray(value)) return value.map((endpoint, index) => [index, endpoint]);
  if (!isJsonObject(value)) {
    if (value !== undefined) place.reportValue('endpoint-not-an-object', value);
    return [];
  }
  return Object.entries(value);
}

function readIndexEndpoint(value: Json, listIndex: number, place: IndexPlace): IndexEndpoint | undefined {
  if (!isJsonObject(value)) {
    place.reportValue('endpoint-not-an-object', value);
    return undefined;
  }
  return {
    listIndex,
    methods: readMethods(ownMember(value, 'methods'), place.below('methods')),
    args: readArguments(ownMember(value, 'args'), place.below('args')),
    // WordPress checks `allow_batch['v1']`.
    allowBatch: Boolean(memberAt(value, 'allow_batch', 'v1')),
  };
}

/** Each method repeats all arguments in the document. */
const MAX_METHODS = 32;

/** Reads a list, which PHP can write as an object, or a text (`POST, PUT`). */
function readMethods(value: Json | undefined, place: IndexPlace): readonly string[] {
  const texts = typeof value === 'string' ? value.split(',') : [];
  const declared = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : texts;
  if (declared.length === 0) place.reportValue('methods-missing', value);
  const methods = new Set<string>();
  for (const each of declared) {
    const method = typeof each === 'string' ? each.trim().toUpperCase() : '';
    // RFC 9110 §9.1: a method is a token.
    if (!/^[!#$%&'*+.^_`|~0-9A-Z-]{1,64}$/.test(method)) {
      place.reportValue('method-not-a-token', each);
      continue;
    }
    if (methods.size === MAX_METHODS) {
      place.report('methods-limit');
      break;
    }
    methods.add(method);
  }
  return [...methods];
}

function readArguments(value: Json | undefined, place: IndexPlace): readonly IndexArgument[] {
  if (value === undefined) return [];
  const isList = isJsonArray(value) && value.length > 0;
  const args = isList ? Object.fromEntries(value.entries()) : readObject(value);
  if (args === undefined) {
    place.reportValue('args-not-an-object', value);
    return [];
  }
  const entries = Object.entries(args);
  const named = entries.filter((entry) => !isBareName(...entry));
  if (named.length < entries.length) place.report('args-as-names');
  return named.map(([name, item]) => readArgument(name, item, place.below(name)));
}

/** Whether a name is a position: for `'args' => ['id', 'context']` WordPress states arguments `0` and `1`. */
function isBareName(name: string, value: Json): boolean {
  if (!/^\d+$/.test(name)) return false;
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([keyword, declared]) => keyword === 'required' && declared !== true);
}

function readArgument(name: string, value: Json, place: IndexPlace): IndexArgument {
  const declaration = readObject(value);
  if (declaration === undefined) {
    place.reportValue('argument-not-an-object', value);
    return { name, declaration: {} };
  }
  return { name, declaration };
}

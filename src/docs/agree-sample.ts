import { orderMembers } from '../example-values/agreements.ts';
import { toSnakeCase } from '../example-values/example-text.ts';
import { isJsonObject, type Json, type JsonObject, mapMembers, toJsonObject } from '../json.ts';
import { toSingular } from '../model/naming/words.ts';
import type { SampleRequest } from './sample-request.ts';

type AnsweredRequest = Pick<SampleRequest, 'path' | 'pathParameters' | 'query' | 'body'>;

/** What tells one object from another that would have the same id. */
const ID_STEP = 18;

/**
 * Gives a created example what its request has: the ids of the path, and the values of members with the same names. An object that is
 * in another one names it by its id.
 *
 * @param schemaName of the response or of its items, such as `Board`; empty if it has none
 */
export function agreeSample(example: Json, request: AnsweredRequest, schemaName: string): Json {
  const { body, path, pathParameters, query } = request;
  const inPath = pathParameters.flatMap(({ name, value }) => (name === 'id' ? [] : [[name, value] as const]));
  const ids = query.filter(([name]) => /_ids?$/.test(name));
  const sent = { ...Object.fromEntries([...ids, ...inPath]), ...toJsonObject(body) };
  const thing = toSnakeCase(toSingular(schemaName === '' ? (placeOf(path)?.kind ?? '') : schemaName));
  const own = isJsonObject(example) ? findOwnId(example, request, thing) : undefined;
  return mapItems(example, (item) =>
    order(echoMembers(agreeIds(agreeOwnId(item, own), thing, new Map()), sent), sent),
  );
}

/** Applies a change to an object, to the objects of a list, or to what a deletion removed. */
function mapItems(example: Json, change: (item: JsonObject) => JsonObject): Json {
  if (Array.isArray(example)) return example.map((item: Json) => (isJsonObject(item) ? change(item) : item));
  if (!isJsonObject(example)) return example;
  const { previous, ...others } = example;
  return isJsonObject(previous) ? { ...change(others), previous: change(previous) } : change(example);
}

/** Orders the members of all objects once more. What the request has stays. */
function order(value: JsonObject, sent: JsonObject): JsonObject {
  const inner = (each: Json): Json => (isJsonObject(each) ? order(each, {}) : each);
  const ordered = mapMembers(value, (_, member) =>
    Array.isArray(member) ? member.map(inner) : inner(member),
  );
  return orderMembers(ordered, (name) => !Object.hasOwn(sent, name));
}

/** The id of the object that the path leads to, if the response is that object. */
function findOwnId(example: JsonObject, request: AnsweredRequest, thing: string): Json | undefined {
  const { body = {}, path, pathParameters } = request;
  const { action, kind, last } = placeOf(path) ?? {};
  const value = pathParameters.find(({ name }) => name === last)?.value;
  const [, own] =
    Object.entries(body).find(([name]) => isKindOf(thing, thingOf(name)) && !Object.hasOwn(example, name)) ??
    [];
  // Data of a user have an id of their own.
  if (last !== undefined && last !== 'id' && Object.hasOwn(example, last)) return own;
  if (action === '') return value;
  const isOwn = action !== undefined && isKindOf(thing, kind);
  return isOwn || (last === 'id' && !Object.hasOwn(example, 'parent')) ? value : own;
}

/** The last parameter of a path, what it is the id of, and what follows it; `undefined` if it has none. */
function placeOf(
  path: string,
): { readonly last: string; readonly kind: string; readonly action: string } | undefined {
  const [whole, before = '', last = '', action = ''] =
    /([^/{}]*)\/\{([^{}]*)\}(?:\/([^{}]*))?$/.exec(path) ?? [];
  if (whole === undefined) return undefined;
  return { last, kind: thingOf(last) ?? toSnakeCase(toSingular(before)), action };
}

/** Whether a `roadmap_idea` is an `idea`. */
function isKindOf(thing: string, kind: string | undefined): boolean {
  return kind !== undefined && kind !== '' && (thing === kind || thing.endsWith(`_${kind}`));
}

/** `board` of `board_id` */
function thingOf(name: string): string | undefined {
  return /^(.+)_id$/.exec(toSnakeCase(name))?.[1];
}

/** An object is not its own parent. */
function agreeOwnId(item: JsonObject, own: Json | undefined): JsonObject {
  const { id, parent, wp_id: post } = item;
  // A revision of a template has the id of the template, and that of its post.
  if (own !== undefined && typeof post === 'number') return { ...item, wp_id: toLike(post, own) };
  if (id === undefined) return item;
  const placed = own === undefined ? id : toLike(id, own);
  const isOwnParent = typeof parent === 'number' && parent === placed;
  const moved = isOwnParent ? { [own === undefined ? 'id' : 'parent']: parent + ID_STEP } : {};
  return { ...item, id: placed, ...moved };
}

/** @param around the ids of the objects around, by what they are */
function agreeIds(value: JsonObject, thing: string, around: ReadonlyMap<string, Json>): JsonObject {
  const { id } = value;
  const isNamed = typeof id === 'number' || typeof id === 'string';
  const kinds = thing.split('_').map((_, at, words) => words.slice(at).join('_'));
  const within = isNamed ? new Map([...around, ...kinds.map((kind) => [kind, id] as const)]) : around;
  return mapMembers(value, (name, member) => {
    const known = around.get(thingOf(name) ?? '');
    if (known !== undefined) return toLike(member, known);
    const kind = toSnakeCase(toSingular(name));
    const place = (item: Json): Json => (isJsonObject(item) ? agreeIds(item, kind, within) : item);
    return Array.isArray(member) ? member.map(place) : place(member);
  });
}

function echoMembers(answer: JsonObject, sent: JsonObject): JsonObject {
  // The id 0 creates an object.
  const isSent = (name: string): boolean => Object.hasOwn(sent, name) && !(name === 'id' && sent[name] === 0);
  return mapMembers(answer, (name, member) => (isSent(name) ? echo(member, sent[name] ?? null) : member));
}

/** The value of a member of a response whose request has a member with the same name. */
function echo(answer: Json, sent: Json): Json {
  if (isJsonObject(sent)) {
    if (isJsonObject(answer)) return echoMembers(answer, sent);
    return typeof sent['raw'] === 'string' ? toLike(answer, sent['raw']) : answer;
  }
  if (Array.isArray(sent) || Array.isArray(answer)) {
    const [first] = Array.isArray(answer) ? answer : [];
    if (!Array.isArray(sent) || first === undefined) return answer;
    return sent.map((item: Json, at) => echo(Array.isArray(answer) ? (answer[at] ?? first) : first, item));
  }
  if (!isJsonObject(answer)) return toLike(answer, sent);
  // A text that WordPress has in two forms, or an object that the request names by its id.
  return mapMembers(answer, (name, member) =>
    name === 'id' || ((name === 'raw' || name === 'rendered') && typeof sent === 'string')
      ? toLike(member, sent)
      : member,
  );
}

/** A value as the type, and in the form, of another one. */
function toLike(answer: Json, sent: Json): Json {
  // The status of an attachment is that of its post.
  if (answer === 'inherit') return answer;
  if (answer === null || typeof sent === 'object') return typeof sent === 'object' ? answer : sent;
  if (typeof answer === 'number') return /^\d{1,9}$/.test(String(sent)) ? Number(sent) : answer;
  if (typeof answer !== 'string') return typeof answer === typeof sent ? sent : answer;
  if (typeof sent === 'number') return /^\d+$/.test(answer) ? String(sent) : answer;
  if (typeof sent !== 'string') return answer;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(sent) && /^\d{4}-\d\d-\d\dT/.test(answer);
  if (isDay) return sent + answer.slice(sent.length);
  const [, start, end] = /^(<p>)[^<]*(<\/p>\s*)$/.exec(answer) ?? [];
  return start === undefined || end === undefined || sent.includes('<') ? sent : start + sent + end;
}

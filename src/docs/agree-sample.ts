import { toSlug, toSnakeCase } from '../example-values/example-text.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toSingular } from '../model/naming/words.ts';
import type { SampleRequest } from './sample-request.ts';

/** The request that a sample answers. */
type AnsweredRequest = Pick<SampleRequest, 'path' | 'pathParameters' | 'body'>;

/** What tells one object from another that would have the same id. */
const ID_STEP = 18;

/** An action that ends a relation: a list of the response does not have what the request names. */
const ENDS_RELATION = /^(?:remove|delete|detach|unassign|unlink)/;

/** An action whose response is another object than that of the path. */
const COPIES = /(?:^|\/)(?:duplicate|copy|clone|import)/;

/** What an order has until it is paid. */
const UNPAID: JsonObject = {
  date_paid: null,
  date_paid_gmt: null,
  transaction_id: '',
  set_paid: false,
  needs_payment: true,
};

/** The parts of a request that changes many objects (`WP_REST_Controller::get_public_batch_schema` in WooCommerce). */
const CHANGED_LISTS = ['update', 'delete'];

/**
 * Gives a created example what its request has: the ids of the path, and the values of members with the same names. An object that is
 * in another one names it by its id.
 *
 * @param schemaName the name of the schema of the response or of its items, such as `Board`; empty if it has none
 */
export function agreeSample(example: Json, request: AnsweredRequest, schemaName: string): Json {
  const { body = {}, path, pathParameters } = request;
  const inPath = pathParameters.flatMap(({ name, value }) => (name === 'id' ? [] : [[name, value] as const]));
  const sent = { ...Object.fromEntries(inPath), ...body };
  const action = path.slice(path.lastIndexOf('/') + 1);
  const endsRelation = ENDS_RELATION.test(action);
  const place = placeOf(path);
  const named = schemaName === '' ? (place?.action === '' ? place.kind : action) : schemaName;
  const thing = toSnakeCase(toSingular(named));
  const agree = (stated: Json, own: Json | undefined): Json => {
    if (!isJsonObject(stated)) return stated;
    const item = agreeIds(agreeOwnId(stated, own), thing, new Map());
    const { previous, ...told } = separateIds(echoMembers(item, sent, endsRelation));
    return previous === undefined ? told : { ...told, previous: agree(previous, own) };
  };
  if (Array.isArray(example)) return example.map((item: Json) => agree(item, undefined));
  return agree(example, isJsonObject(example) ? findOwnId(example, request, thing) : undefined);
}

/** The id of the object that the path leads to, if the response is that object. */
function findOwnId(example: JsonObject, request: AnsweredRequest, thing: string): Json | undefined {
  const { body = {}, path, pathParameters } = request;
  const { action, kind, last } = placeOf(path) ?? {};
  const value = pathParameters.find(({ name }) => name === last)?.value;
  if (action === '') return value;
  const isOwn = action !== undefined && !COPIES.test(action) && isKindOf(thing, kind);
  if (isOwn || (last === 'id' && !Object.hasOwn(example, 'parent'))) return value;
  const [, own] =
    Object.entries(body).find(([name]) => isKindOf(thing, thingOf(name)) && !Object.hasOwn(example, name)) ??
    [];
  return own;
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
  const { id, parent } = item;
  if (id === undefined) return item;
  if (own !== undefined) {
    const placed = toLike(id, own);
    return {
      ...item,
      id: placed,
      ...(typeof parent === 'number' && parent === placed ? { parent: parent + ID_STEP } : {}),
    };
  }
  return typeof id === 'number' && id === parent ? { ...item, id: id + ID_STEP } : item;
}

/** @param around the ids of the objects around, by what they are */
function agreeIds(value: JsonObject, thing: string, around: ReadonlyMap<string, Json>): JsonObject {
  const { id } = value;
  const isNamed = typeof id === 'number' || typeof id === 'string';
  const kinds = thing.split('_').map((_, at, words) => words.slice(at).join('_'));
  const within = isNamed ? new Map([...around, ...kinds.map((kind) => [kind, id] as const)]) : around;
  const agreeMember = (name: string, member: Json): Json => {
    const kindOfId = thingOf(name);
    const known = kindOfId === undefined ? undefined : around.get(kindOfId);
    if (known !== undefined) return toLike(member, known);
    if (name === 'guid' && isNamed) return agreeGuid(member, id);
    const kind = toSnakeCase(toSingular(name));
    const place = (item: Json): Json => (isJsonObject(item) ? agreeIds(item, kind, within) : item);
    return Array.isArray(member) ? member.map(place) : place(member);
  };
  return mapMembers(value, agreeMember);
}

/** A GUID of WordPress is a URL with the id of the post: `https://example.com/?p=42`. */
function agreeGuid(guid: Json, id: Json): Json {
  if (isJsonObject(guid)) return mapMembers(guid, (_, form) => agreeGuid(form, id));
  return typeof guid === 'string' ? guid.replace(/([?&](?:p|page_id)=)\d+$/, `$1${String(id)}`) : guid;
}

function echoMembers(answer: JsonObject, sent: JsonObject, endsRelation: boolean): JsonObject {
  const ids = new Map(Object.entries(sent).map(([name, value]) => [thingOf(name), value]));
  const echoed = mapMembers(answer, (name, member) => {
    // The id 0 creates an object.
    if (name === 'id' && sent[name] === 0) return member;
    if (Object.hasOwn(sent, name)) return echo(member, sent[name] ?? null);
    const snake = toSnakeCase(name);
    const listed = ids.get(/^(.+)_ids$/.exec(snake)?.[1] ?? toSingular(snake));
    if (Array.isArray(member) && listed !== undefined) return listId(member, listed, endsRelation);
    const id = ids.get(snake);
    return id === undefined || !isJsonObject(member) ? member : echo(member, id);
  });
  const isUnpaid = Object.hasOwn(answer, 'date_paid') && sent['status'] === 'pending';
  const agreed = isUnpaid
    ? mapMembers(echoed, (name, member) => (Object.hasOwn(UNPAID, name) ? (UNPAID[name] ?? null) : member))
    : echoed;
  return agreeSlug(agreed, answer, sent);
}

/** The value of a member of a response whose request has a member with the same name. */
function echo(answer: Json, sent: Json): Json {
  if (isJsonObject(sent)) {
    if (isJsonObject(answer)) return echoMembers(answer, sent, false);
    return typeof sent['raw'] === 'string' ? toLike(answer, sent['raw']) : answer;
  }
  if (Array.isArray(sent)) return Array.isArray(answer) ? echoItems(answer, sent) : answer;
  if (Array.isArray(answer)) return answer;
  if (!isJsonObject(answer)) return toLike(answer, sent);
  // A text that WordPress has in two forms, or an object that the request names by its id.
  return mapMembers(answer, (name, member) =>
    name === 'id' || ((name === 'raw' || name === 'rendered') && typeof sent === 'string')
      ? toLike(member, sent)
      : member,
  );
}

function echoItems(answer: readonly Json[], sent: readonly Json[]): Json {
  const [first] = answer;
  if (first === undefined) return [];
  const echoed = sent.map((item, at) => echo(answer[at] ?? first, item));
  return isJsonObject(first) ? [...echoed, ...answer.slice(sent.length)] : echoed;
}

/** Whether a list has an id is what the request decides. */
function listId(list: readonly Json[], id: Json, isRemoved: boolean): Json {
  const idOf = (item: Json): Json | undefined => (isJsonObject(item) ? item['id'] : item);
  const [first, ...others] = list;
  const own = first === undefined ? undefined : idOf(first);
  if (first === undefined || own === undefined || typeof own === 'object') return [...list];
  const placed = toLike(own, id);
  if (isRemoved) return list.filter((item) => idOf(item) !== placed);
  if (list.some((item) => idOf(item) === placed)) return [...list];
  return [isJsonObject(first) ? { ...first, id: placed } : placed, ...others];
}

/** What a batch creates has other ids than what it changes. */
function separateIds(item: JsonObject): JsonObject {
  const created = item['create'];
  if (!Array.isArray(created)) return item;
  const listed = CHANGED_LISTS.map((name) => item[name]).filter((list) => Array.isArray(list));
  const used = new Set(listed.flat().map((each: Json) => (isJsonObject(each) ? each['id'] : each)));
  const create = created.map((each: Json) => {
    if (!isJsonObject(each) || typeof each['id'] !== 'number') return each;
    let { id } = each;
    while (used.has(id)) id = Number(id) + ID_STEP;
    used.add(id);
    return { ...each, id };
  });
  return { ...item, create };
}

/** A slug that was made of a title follows it, and so do the URLs with the slug. */
function agreeSlug(echoed: JsonObject, answer: JsonObject, sent: JsonObject): JsonObject {
  const [before, after] = [answer, echoed].map((item) => toSlug(titleOf(item)));
  const { slug } = answer;
  const given = echoed['slug'];
  const own = Object.hasOwn(sent, 'slug') ? given : slug === before && after !== '' ? after : slug;
  if (typeof slug !== 'string' || typeof own !== 'string' || own === slug || slug === '') return echoed;
  return mapMembers({ ...echoed, slug: own }, (name, member) =>
    /(?:^|_)(?:link|url)$|permalink/.test(name) && typeof member === 'string' && !Object.hasOwn(sent, name)
      ? member.replace(`/${slug}`, `/${own}`)
      : member,
  );
}

function titleOf({ label, name, title }: JsonObject): string {
  const texts = [name, title, label].map((each) => (isJsonObject(each) ? each['rendered'] : each));
  return texts.find((text) => typeof text === 'string') ?? '';
}

/** A value as the type, and in the form, of another one. */
function toLike(answer: Json, sent: Json): Json {
  // The status of an attachment is that of its post.
  if (answer === 'inherit') return answer;
  if (answer === null || typeof sent === 'object') return typeof sent === 'object' ? answer : sent;
  if (typeof answer === 'number') return /^\d{1,9}$/.test(String(sent)) ? Number(sent) : answer;
  if (typeof answer === 'string' && typeof sent === 'number')
    return /^\d+$/.test(answer) ? String(sent) : answer;
  if (typeof answer !== typeof sent) return answer;
  if (typeof answer === 'string' && typeof sent === 'string') {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(sent) && /^\d{4}-\d\d-\d\dT/.test(answer);
    if (isDay) return sent + answer.slice(sent.length);
    const [, start, end] = /^(<p>)[^<]*(<\/p>\s*)$/.exec(answer) ?? [];
    return start === undefined || end === undefined || sent.includes('<') ? sent : start + sent + end;
  }
  return sent;
}

function mapMembers(object: JsonObject, map: (name: string, member: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, map(name, member)]));
}

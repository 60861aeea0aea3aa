import { agreeMembers, isSameState } from '../example-values/agreements.ts';
import { findNextText, findText, toSlug, toSnakeCase } from '../example-values/example-text.ts';
import { isJsonObject, type Json, type JsonObject, mapMembers } from '../json.ts';
import { toSingular } from '../model/naming/words.ts';
import { isUnforcedDeletion, type SampleRequest } from './sample-request.ts';

/** The request that a sample answers. */
type AnsweredRequest = Pick<SampleRequest, 'method' | 'path' | 'pathParameters' | 'query' | 'body' | 'file'>;

/** What is known of the response. */
interface AnswerKind {
  /** The name of the schema of the response or of its items, such as `Board`; empty if it has none. */
  readonly schemaName: string;
  /** The values that a member of it may have; empty for any. */
  readonly allowed: (name: string) => readonly Json[];
  readonly isCreated: boolean;
}

/** What tells one object from another that would have the same id. */
const ID_STEP = 18;

/** An action that ends a relation: a list of the response does not have what the request names. */
const ENDS_RELATION = /^(?:remove|delete|detach|unassign|unlink)/;

/** When an action took place, of an object without another date. */
const ACTION_DATE = '2026-03-02T17:53:00';

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
 * @returns the example as the whole request decides it, then what agrees with less of it: the first that its schema allows is shown
 */
export function agreeSample(example: Json, request: AnsweredRequest, kind: AnswerKind): readonly Json[] {
  const { body = {}, path, pathParameters, query } = request;
  const inPath = pathParameters.flatMap(({ name, value }) => (name === 'id' ? [] : [[name, value] as const]));
  const ids = query.filter(([name]) => /_ids?$/.test(name));
  const sent = { ...Object.fromEntries([...ids, ...inPath]), ...body };
  const action = readAction(path);
  const place = placeOf(path);
  const named = kind.schemaName === '' ? (place?.action === '' ? place.kind : action) : kind.schemaName;
  const thing = toSnakeCase(toSingular(named));
  const own = isJsonObject(example) ? findOwnId(example, request, thing) : undefined;
  const isNew = kind.isCreated && request.method === 'POST' && own === undefined && !COPIES.test(path);
  const renewed = (item: JsonObject): JsonObject =>
    isNew && Object.hasOwn(item, 'id') ? renew(item, sent) : item;
  const isTrashed =
    isUnforcedDeletion(request) &&
    place?.action === '' &&
    isJsonObject(example) &&
    !Object.hasOwn(example, 'deleted');
  const told = mapItems(example, (item) => {
    const agreed = agreeIds(agreeOwnId(agreePlace(item, request), own), thing, new Map());
    return separateIds(echoMembers(echoFile(agreed, request.file), sent, ENDS_RELATION.test(action)));
  });
  const acted = mapItems(told, (item) => {
    const listed = removeSent(relate(leaveUnsent(item, sent), sent, action), sent, action);
    const done = applyAction(listed, isTrashed ? 'trash' : action, kind.allowed, sent);
    return settle(renewed(done), sent);
  });
  return [acted, told, example];
}

/** What the path alone tells: the parent of an item, the order of a checkout, the test of a site. */
function agreePlace(item: JsonObject, { path, pathParameters }: AnsweredRequest): JsonObject {
  const { action, last } = placeOf(path) ?? {};
  const values = pathParameters.map(({ value }) => value);
  const own = action === '' ? values.at(-1) : undefined;
  const isBelow = action === '' || (action !== undefined && last !== 'id');
  const holder = isBelow ? values.at(action === '' ? -2 : -1) : undefined;
  return mapMembers(item, (name, member) => {
    if (/^(?:test|label)$/.test(name) && path.includes('/tests/') && Object.hasOwn(item, 'test'))
      return findText({ name, within: readAction(path) }) ?? member;
    // A product is a post, too.
    if (name === 'type' && member === 'simple' && Object.hasOwn(item, 'guid')) return 'product';
    if (/^parent(?:_id)?$/.test(name) && member === 0 && holder !== undefined) return toLike(member, holder);
    const isOwn = name === 'wp_id' || (name === 'order_id' && !Object.hasOwn(item, 'id'));
    return isOwn && own !== undefined ? toLike(member, own) : member;
  });
}

/** The name and the media type of a file that was sent. */
function echoFile(item: JsonObject, file: AnsweredRequest['file']): JsonObject {
  const typed = ['mime_type', 'type'].find((name) => String(item[name]).includes('/'));
  if (file === undefined || typed === undefined) return item;
  return { ...item, [typed]: file.type, ...(Object.hasOwn(item, 'size') ? { name: file.name } : {}) };
}

/** Applies a change to an object, to the objects of a list, or to what a deletion removed. */
function mapItems(example: Json, change: (item: JsonObject) => JsonObject): Json {
  if (Array.isArray(example)) return example.map((item: Json) => (isJsonObject(item) ? change(item) : item));
  if (!isJsonObject(example)) return example;
  const { previous, ...others } = example;
  return isJsonObject(previous) ? { ...change(others), previous: change(previous) } : change(example);
}

/** The last part of a path that is no parameter: what an operation does, where it is more than its method. */
function readAction(path: string): string {
  const parts = path.split('/').filter((part) => !part.includes('{'));
  return parts.at(-1) ?? '';
}

/** The ids of a list that the request names are those of the list that answers it. */
function relate(item: JsonObject, sent: JsonObject, action: string): JsonObject {
  const [ids, ...otherIds] = Object.entries(sent).flatMap(([name, value]) => {
    const list = typeof value === 'string' ? value.split(',') : value;
    return /(?:^|_)ids$/.test(name) && Array.isArray(list) ? [list] : [];
  });
  if (ids === undefined || otherIds.length > 0 || ENDS_RELATION.test(action)) return item;
  const lists = Object.entries(item).filter(([, list]) => Array.isArray(list));
  const numbers = lists.find(([name]) => name === 'done')?.[0];
  const objects = lists.filter(([, list]) => Array.isArray(list) && isJsonObject(list[0]) && 'id' in list[0]);
  const [[name, list] = []] = objects;
  if (name === undefined || !Array.isArray(list) || objects.length > 1) return item;
  const told = numbers === undefined ? ids : ids.slice(-1);
  const [first = null] = list;
  const items = told.map((id, at) => {
    if (!isJsonObject(first)) return first;
    const position = typeof first['position'] === 'number' ? { position: at + 1 } : {};
    const named = mapMembers(first, (name, text) =>
      /^(?:name|title)$/.test(name) && typeof text === 'string' ? findNextText(text, at) : text,
    );
    return echoMembers({ ...named, ...position, id: toLike(first['id'] ?? null, id) }, sent, false);
  });
  return {
    ...item,
    [name]: items,
    ...(numbers === undefined ? {} : { [numbers]: ids.slice(0, -1).map((id) => toLike(0, id)) }),
  };
}

/** What an action removes is in no list that answers it: `remove-item` with its `key`. */
function removeSent(item: JsonObject, sent: JsonObject, action: string): JsonObject {
  if (!ENDS_RELATION.test(action)) return item;
  return mapMembers(item, (_, list) =>
    Array.isArray(list)
      ? list.filter(
          (each) => !isJsonObject(each) || !['key', 'code'].some((name) => (each[name] ?? '') === sent[name]),
        )
      : list,
  );
}

/** Whether a word is the participle of a verb: `pinned` of `pin`, `archived` of `archive`. */
function isParticiple(word: string, verb: string): boolean {
  return verb.length > 2 && word.startsWith(verb) && /^[a-z]?e?d$/.test(word.slice(verb.length));
}

function isState(word: string, verb: string): boolean {
  return word === verb || isParticiple(word, verb);
}

/** What an action does to the members that tell it: `archive-board` sets `archived_at`, `unpin` clears `is_pinned`. */
function applyAction(
  item: JsonObject,
  action: string,
  allowed: AnswerKind['allowed'],
  sent: JsonObject,
): JsonObject {
  const words = action.split(/[-_]/);
  const isDone = (word: string): boolean =>
    words.some((verb) => isState(word, verb) || isSameState(word, verb));
  const isUndone = (word: string): boolean =>
    words.some(
      (verb) =>
        isParticiple(word, verb.replace(/^un/, '')) ||
        (verb === 'restore' && /^(?:archiv|delet|trash)ed$/.test(word)),
    );
  const [changed] = ['updated_at', 'updated', 'created_at', 'date']
    .map((name) => item[name])
    .filter((date) => typeof date === 'string');
  const now = changed ?? addMinutes(item['started_at'], item['minutes']);
  const [, bulk] = /^bulk-([a-z]+)-/.exec(action) ?? [];
  const { failed, responses, ...others } = item;
  // A batch that ran has not failed.
  const acting = failed !== undefined && responses !== undefined ? { ...others, responses } : item;
  return mapMembers(acting, (name, member) => {
    if (Object.hasOwn(sent, name)) return member;
    if (/^(?:status|state)$/.test(name)) {
      const told = allowed(name).find((each) => typeof each === 'string' && isDone(each));
      return told ?? member;
    }
    if (name === 'action' && bulk !== undefined && typeof member === 'string') return bulk;
    const [, state = ''] = /^(?:is_|date_)?([a-z]+ed)(?:_at)?$/.exec(name) ?? [];
    const isTold = typeof member === 'boolean' || /_at$|^date_/.test(name);
    if (state === '' || !isTold) {
      const isRemoved = words.length > 1 && ENDS_RELATION.test(action) && words.includes(name);
      return isRemoved && isJsonObject(member) ? mapMembers(member, () => null) : member;
    }
    if (isDone(state)) return typeof member === 'boolean' ? true : (member ?? now ?? ACTION_DATE);
    return isUndone(state) ? (typeof member === 'boolean' ? false : null) : member;
  });
}

function addMinutes(start: Json | undefined, minutes: Json | undefined): string | undefined {
  const time = typeof start === 'string' ? Date.parse(`${start.slice(0, 19)}Z`) : Number.NaN;
  return Number.isNaN(time) || typeof minutes !== 'number' || Math.abs(minutes) > 1e6
    ? undefined
    : new Date(time + minutes * 60_000).toISOString().slice(0, 19);
}

/** What was created this moment is not changed yet, and nothing counts. */
function renew(item: JsonObject, sent: JsonObject): JsonObject {
  return mapMembers(item, (name, member) => {
    if (Object.hasOwn(sent, name)) return member;
    const [, kind = '', zone = ''] =
      /^(?:date_)?(updated|modified|last_activity)(?:_at)?(_gmt)?$/.exec(name) ?? [];
    const created = ['created_at', `date_created${zone}`, `date${zone}`, 'created'].find(
      (each) => typeof item[each] === 'string',
    );
    if (kind !== '' && created !== undefined && typeof member === 'string') return item[created] ?? member;
    if (FRESH.test(name))
      return typeof member === 'number' ? 0 : typeof member === 'boolean' ? false : toZero(member);
    if (!Array.isArray(member)) return member;
    return ANSWERS.test(name)
      ? []
      : member.map((each: Json) => (isJsonObject(each) ? renew(each, {}) : each));
  });
}

/** `166.71` → `0.00` */
function toZero(amount: Json): Json {
  return typeof amount === 'string' && /^\d+\.\d+$/.test(amount)
    ? amount.replace(/\d/g, '0').replace(/^0+/, '0')
    : amount;
}

/** Numbers and states that only time brings. */
const FRESH =
  /_count$|^(?:count|votes|minutes|worked_minutes|total_sales|total_spent|average_rating|has_voted|is_overdue|is_paying_customer|is_pinned)$/;

/** Lists that others fill later. */
const ANSWERS = /^(?:replies|comments|notes|refunds|used_by)$/;

/** Lets the members of all objects agree once more, with what the request has. */
function settle(value: JsonObject, sent: JsonObject): JsonObject {
  const settleItem = (each: Json): Json => (isJsonObject(each) ? settle(each, {}) : each);
  const settled = mapMembers(value, (_, member) =>
    Array.isArray(member) ? member.map(settleItem) : settleItem(member),
  );
  return agreeMembers(settled, {
    isFree: (name) => !Object.hasOwn(sent, name),
    isNullable: () => false,
    allowed: () => [],
  });
}

/** The id of the object that the path leads to, if the response is that object. */
function findOwnId(example: JsonObject, request: AnsweredRequest, thing: string): Json | undefined {
  const { body = {}, path, pathParameters } = request;
  const { action, kind, last } = placeOf(path) ?? {};
  const value = pathParameters.find(({ name }) => name === last)?.value;
  if (COPIES.test(path))
    return last === 'id' && /^\d+$/.test(String(value)) ? Number(value) + ID_STEP : undefined;
  const [, own] =
    Object.entries(body).find(([name]) => isKindOf(thing, thingOf(name)) && !Object.hasOwn(example, name)) ??
    [];
  // Data of a user have an id of their own.
  if (last !== undefined && last !== 'id' && Object.hasOwn(example, last)) return own;
  if (action === '') return value;
  const isOwn = action !== undefined && !COPIES.test(action) && isKindOf(thing, kind);
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
  const { id, parent } = item;
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
  const echoed = mapMembers(echoInner(answer, sent), (name, member) => {
    // The id 0 creates an object.
    if (name === 'id' && sent[name] === 0) return member;
    if (Object.hasOwn(sent, name)) return echo(member, sent[name] ?? null);
    const snake = toSnakeCase(name);
    const listed = ids.get(/^(.+)_ids$/.exec(snake)?.[1] ?? toSingular(snake));
    if (Array.isArray(member) && listed !== undefined) {
      const { [name]: _, ...others } = sent;
      return listId(member, listed, endsRelation, others);
    }
    const id = ids.get(snake);
    return id === undefined || !isJsonObject(member) ? member : echo(member, id);
  });
  const isUnpaid = Object.hasOwn(answer, 'date_paid') && sent['status'] === 'pending';
  const agreed = isUnpaid
    ? mapMembers(echoed, (name, member) => (Object.hasOwn(UNPAID, name) ? (UNPAID[name] ?? null) : member))
    : echoed;
  return agreeSlug(agreed, answer, sent);
}

/** Members of a request that a response has below, or that name what they change: `{ property: 'title', value: 'Harbour' }`. */
function echoInner(answer: JsonObject, sent: JsonObject): JsonObject {
  let echoed = answer;
  for (const change of [
    sent,
    ...Object.values(sent).flatMap((value) => (Array.isArray(value) ? value : [])),
  ]) {
    if (!isJsonObject(change)) continue;
    const { value } = change;
    const name = [change['property'], change['field']].find((each) => typeof each === 'string');
    const own = typeof name === 'string' ? answer[name] : undefined;
    if (typeof name === 'string' && own !== undefined && value !== undefined)
      echoed = agreeSlug({ ...echoed, [name]: echo(own, value) }, answer, { [name]: value });
  }
  const lost = Object.entries(sent).filter(([name]) => !Object.hasOwn(answer, name));
  for (const [name, value] of lost) {
    if (typeof value === 'object' || name === 'id' || thingOf(name) !== undefined) continue;
    const told = Object.keys(echoed).find(
      (own) =>
        typeof value === 'boolean' &&
        /^(?:is|has)_/.test(own) &&
        isState(own.replace(/^(?:is|has)_/, ''), name),
    );
    if (told !== undefined) echoed = { ...echoed, [told]: value };
    const inner = Object.entries(echoed).filter(([, member]) => isJsonObject(member) && name in member);
    const [[holder, member] = []] = inner;
    if (inner.length !== 1 || holder === undefined || !isJsonObject(member)) continue;
    echoed = { ...echoed, [holder]: { ...member, [name]: echo(member[name] ?? null, value) } };
  }
  return echoed;
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
  if (isJsonObject(answer['previous']) && answer['deleted'] === true)
    return { ...answer, previous: echo(answer['previous'], sent) };
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
function listId(list: readonly Json[], id: Json, isRemoved: boolean, sent: JsonObject): Json {
  const idOf = (item: Json): Json | undefined => (isJsonObject(item) ? item['id'] : item);
  const [first, ...others] = list;
  const own = first === undefined ? undefined : idOf(first);
  if (first === undefined || own === undefined || typeof own === 'object') return [...list];
  const placed = toLike(own, id);
  if (isRemoved) return list.filter((item) => idOf(item) !== placed);
  if (list.some((item) => idOf(item) === placed)) return [...list];
  return [isJsonObject(first) ? echoMembers({ ...first, id: placed }, sent, false) : placed, ...others];
}

/** A batch answers what it was asked for. */
function leaveUnsent(item: JsonObject, sent: JsonObject): JsonObject {
  const lists = ['create', ...CHANGED_LISTS];
  const isBatch =
    lists.some((name) => Array.isArray(sent[name])) && lists.every((name) => !isJsonObject(item[name]));
  const kept = Object.entries(item).filter(([name]) => !lists.includes(name) || Object.hasOwn(sent, name));
  return isBatch ? Object.fromEntries(kept) : item;
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
  if (typeof answer !== 'string') return typeof answer === typeof sent ? sent : answer;
  if (typeof sent === 'number') return /^\d+$/.test(answer) ? String(sent) : answer;
  if (typeof sent !== 'string') return answer;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(sent) && /^\d{4}-\d\d-\d\dT/.test(answer);
  if (isDay) return sent + answer.slice(sent.length);
  const [, start, end] = /^(<p>)[^<]*(<\/p>\s*)$/.exec(answer) ?? [];
  return start === undefined || end === undefined || sent.includes('<') ? sent : start + sent + end;
}

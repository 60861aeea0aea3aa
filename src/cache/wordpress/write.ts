import type { Json, JsonObject } from '../../json.ts';
import { isJsonObject } from '../../json.ts';
import { LISTS } from './dependencies.ts';
import { narrowingOf, scalarsOf } from './list-tags.ts';
import type { Located, Resources } from './resources.ts';
import { tagNames } from './tag-names.ts';

/** A request that may have changed the site, and what came of it. */
export interface Write {
  /** As the site ran it. */
  readonly method: string;
  readonly at: Located;
  /** Null where there was no answer, or none that says. */
  readonly status: number | null;
  /** The names of what was sent; null where that is not known, and it may have been anything. */
  readonly sent: ReadonlyMap<string, Json> | null;
  /** What came back, where it was JSON. */
  readonly answer: Json | undefined;
}

/** What a write did to an item. */
export type Event = 'create' | 'update' | 'delete';

/** A write, read: which item of which collection, and what of it is another now. */
export interface Change {
  readonly event: Event;
  readonly at: Located;
  /** Null where it is not known. */
  readonly id: string | null;
  /** `/wp/v2/posts/12` */
  readonly item: string | null;
  /** Whether lists may have gained or lost the item. */
  readonly membership: boolean;
  /** The fields that were written; null where it is not known which, and it may be all of them. */
  readonly written: readonly string[] | null;
  touches(field: string): boolean;
  touchesAny(fields: ReadonlySet<string>): boolean;
  /** The item as it is now, or was before it went; undefined where it is not known. */
  readonly fields: JsonObject | undefined;
}

/** What is sent with a write and is no field of what is written. */
const NO_FIELDS = new Set([
  'context',
  'force',
  'id',
  '_fields',
  '_embed',
  '_envelope',
  '_locale',
  '_method',
  '_wpnonce',
]);

/** Below a post, these change it without changing what lists look at: they are its history. */
const HISTORY = /\/(?:revisions|autosaves)(?:\/|$)/;

export function readChange({ method, at, sent, answer }: Write): Change {
  const fields = itemOf(answer);
  // An edited picture is a new one.
  const creates = at.item === null || (at.kind === 'media' && at.path.endsWith('/edit'));
  const event: Event = creates ? 'create' : method === 'DELETE' && !at.deeper ? 'delete' : 'update';
  const id =
    at.deeper && !creates ? lastSegment(at.item) : (idOf(fields) ?? (creates ? null : lastSegment(at.item)));
  const written = !at.deeper ? (sent === null ? null : fieldsSent(sent)) : HISTORY.test(at.path) ? [] : null;
  const touches = (field: string): boolean =>
    event !== 'update' || written === null || written.includes(field);
  return {
    event,
    at,
    id,
    item: id === null ? null : `${at.collection}/${id.toLowerCase()}`,
    membership: event !== 'update' || (LISTS[at.kind]?.membership.some(touches) ?? true),
    written,
    touches,
    touchesAny: (names) => event !== 'update' || written === null || written.some((name) => names.has(name)),
    fields,
  };
}

function fieldsSent(sent: ReadonlyMap<string, Json>): readonly string[] {
  return [...sent.keys()].filter((name) => !NO_FIELDS.has(name));
}

/** `{"deleted":true,"previous":{…}}` tells what is no more. */
function itemOf(answer: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { previous } = answer;
  return answer['deleted'] === true && isJsonObject(previous) ? previous : answer;
}

function idOf(fields: JsonObject | undefined): string | null {
  const id = fields?.['id'];
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : null;
}

function lastSegment(item: string | null): string | null {
  return item === null ? null : item.slice(item.lastIndexOf('/') + 1);
}

/** The lists of its own collection that a change may have made another. */
export function changedLists(change: Change, resources: Resources): readonly string[] {
  const { at, event, fields, membership, written } = change;
  const { collection, kind } = at;
  const lists = LISTS[kind];
  if (lists === undefined || (event === 'update' && written === null)) {
    return [tagNames.anyItem(collection), tagNames.anyList(collection)];
  }
  const tags = [tagNames.anyItem(collection)];
  if (membership) tags.push(tagNames.plainList(collection));
  if (event === 'update') {
    for (const field of written ?? []) tags.push(tagNames.dependsOn(collection, withoutZone(field)));
  }
  for (const parameter of narrowingOf(kind, resources)) {
    const field = lists.narrowing.find(([name]) => name === parameter)?.[1] ?? parameter;
    // The terms of a post are another's to write.
    if (field === '') continue;
    if (event === 'update' && change.touches(field)) tags.push(tagNames.narrowed(collection, parameter));
    else if (membership) tags.push(...narrowedLists(collection, parameter, fields?.[field]));
  }
  return tags;
}

/** Of an item that is known, the lists of its own values; else all that the parameter narrows. */
function narrowedLists(collection: string, parameter: string, value: Json | undefined): readonly string[] {
  if (Array.isArray(value) && value.length === 0) return [];
  const values = scalarsOf(value);
  return values === null
    ? [tagNames.narrowed(collection, parameter)]
    : values.map((each) => tagNames.narrowedTo(collection, parameter, each));
}

/** Lists look at a date by one name. */
function withoutZone(field: string): string {
  return field.endsWith('_gmt') ? field.slice(0, -4) : field;
}

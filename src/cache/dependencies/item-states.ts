import { LRUCache } from 'lru-cache';
import { isJsonObject, type Json, type JsonObject, memberAt, parseJson, toText } from '../../json.ts';
import { hashText } from '../content/content-hash.ts';
import { plainText } from '../content/page-text.ts';
import type { HttpCache } from '../http-cache.ts';
import { scopeOf } from '../surrogate-keys.ts';
import type { SearchedEdit } from './searches.ts';

/** One field of an item: its text, `null` if it cannot be searched for, and a hash of the value. */
interface FieldState {
  readonly hash: number;
  /** Missing of a response to one client, whose values are not kept. */
  readonly text?: string | null;
  /** What searches find in a field that they look at; `null` if it is unknown. */
  readonly searched?: string | null;
}

/** The fields of an item by their places in its REST representation: `title.rendered`. */
export type ItemState = ReadonlyMap<string, FieldState>;

const MAX_FIELDS = 200;
const MAX_DEPTH = 4;
/** Characters of the text of a field that pages are searched for. */
const TEXT_LENGTH = 40;
/** Characters of a value from which its text is taken. */
const SOURCE_LENGTH = 4_000;
/** A shorter text is found by chance in most pages. A word such as `closed` is an option, which pages show otherwise. */
const NO_TEXT = /^(?:.{0,3}|[a-z_-]{4,20})$/s;
/** Members with the same content in each representation, or with other resources. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set(['_links', '_embedded']);

/** @param keepsTexts `false` for an item that not everybody sees: its state says which fields a write has changed, and nothing else */
export function readItemState(item: JsonObject, keepsTexts = true): ItemState {
  const fields = new Map<string, FieldState>();
  const visit = (value: Json, place: string, depth: number): void => {
    if (fields.size >= MAX_FIELDS) return;
    // Without it an entry that is taken away, or the first one, would not be seen.
    if (Array.isArray(value)) fields.set(`${place}.length`, readField(value.length));
    if (depth < MAX_DEPTH && typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!OTHER_MEMBERS.has(name)) visit(member, `${place}.${name}`, depth + 1);
      }
    } else if (keepsTexts) fields.set(place, readField(value, SEARCHED_PLACE.test(place)));
    else fields.set(place, { hash: hashValue(value) });
  };
  visit(item, '', 0);
  return fields;
}

const SEARCHED_PLACE = /^\.(?:title|excerpt|content)\.(?:raw|rendered)$/;

function hashValue(value: Json): number {
  return hashText(toText(value));
}

function readField(value: Json, isSearched = false): FieldState {
  if (typeof value !== 'string') return { hash: hashValue(value), text: null };
  const text = plainText(value.slice(0, SOURCE_LENGTH));
  const state = { hash: hashValue(value), text: NO_TEXT.test(text) ? null : text };
  if (!isSearched || value.length > SOURCE_LENGTH) return state;
  // A search finds markup, too. Collations compare without case and accents, and some letters otherwise.
  const folded = `${value} ${plainText(value)}`.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return { ...state, searched: /(?!\p{ASCII})\p{L}/u.test(folded) ? null : folded };
}

/** The texts that fields of an item had before a change. */
export interface TextsBefore {
  readonly changed: readonly string[];
  /** The dates of change of an item that was not edited before: they are those of its publication, which has not changed. */
  readonly published: readonly string[];
}

/**
 * Lists the texts that fields of an item had before a change.
 *
 * @param written names of the fields that were written
 * @returns `null` if they are unknown: no field differs, one that does has no text to search for, or a written one is missing
 */
export function listTextsBefore(
  before: ItemState,
  after: ItemState,
  written: readonly string[],
): TextsBefore | null {
  const shown = new Set(
    [...before].flatMap(([place, { text }]) => (text === undefined ? [] : fieldAt(place))),
  );
  if (!written.every((name) => shown.has(name))) return null;
  const changed = new Set<string>();
  const published = new Set<string>();
  const unchanged = new Set<string | null | undefined>();
  for (const [place, { hash, text }] of before) if (after.get(place)?.hash === hash) unchanged.add(text);
  for (const [place, { hash, text }] of before) {
    const now = after.get(place);
    // What one client alone has seen is no text of other responses.
    if (now === undefined || now.hash === hash || text === undefined) continue;
    if (text === null) return null;
    const texts = DATES_OF_CHANGE.has(fieldAt(place)) && unchanged.has(text) ? published : changed;
    // Lists show the beginning of a text alone. Feeds render galleries at the beginning otherwise, and what is embedded changes by itself.
    for (const end of [TEXT_LENGTH, findLastChange(text, now.text ?? '')])
      texts.add(text.slice(Math.max(0, end - TEXT_LENGTH), Math.max(end, TEXT_LENGTH)).trim());
  }
  return changed.size + published.size === 0 ? null : { changed: [...changed], published: [...published] };
}

/** Returns the offset after the last character of a text that has changed: its end if none has, of what is known of it. */
function findLastChange(before: string, after: string): number {
  let same = 0;
  while (same < before.length && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return before.length - same || before.length;
}

const fieldAt = (place: string): string => place.split('.', 2)[1] ?? '';

/** Members that each write of an item changes. */
const DATES_OF_CHANGE: ReadonlySet<string> = new Set(['modified', 'modified_gmt']);

/**
 * Compares the members of an item before and after a write, without its dates of change. `unknown`: a part of it was not known before.
 *
 * @returns nothing if there are too many fields to know all
 */
export function compareFields(
  before: ItemState,
  after: ItemState,
): ReadonlyMap<string, 'same' | 'changed' | 'unknown'> {
  const changes = new Map<string, 'same' | 'changed' | 'unknown'>();
  if (after.size >= MAX_FIELDS) return changes;
  for (const [place, { hash }] of after) {
    // A password changes what content and excerpt show, and which lists show them.
    const name = place.endsWith('.protected') ? 'password' : fieldAt(place);
    const was = before.get(place)?.hash;
    const change = was === undefined ? 'unknown' : was === hash ? 'same' : 'changed';
    const known = changes.get(name) ?? 'same';
    if (!DATES_OF_CHANGE.has(name))
      changes.set(name, change === 'same' || known === 'changed' ? known : change);
  }
  return changes;
}

/** Reads what an edit changes for searches; `null` if it is unknown. @param written names of the fields that were written */
export function readSearchedEdit(
  before: ItemState,
  after: ItemState,
  written: readonly string[],
): SearchedEdit | null {
  const texts = written.flatMap((name) => {
    // The content of before is in the database with comments and shortcodes, which its rendered form has not.
    const [was, is] = [before.get(`.${name}.raw`), after.get(`.${name}.raw`)];
    const rendered = name === 'content' ? undefined : before.get(`.${name}.rendered`);
    return [(was?.text === undefined ? rendered : was)?.searched ?? null, is?.searched ?? null];
  });
  const known = texts.filter((text) => text !== null);
  if (known.length < texts.length) return null;
  return { texts: known, title: written.includes('title') ? '' : (after.get('.title.raw')?.searched ?? '') };
}

/** Maximum items whose state is known, and maximum items of which it is known where they are stored. */
const MAX_ITEMS = 1_000;
const MAX_STORED_ITEMS = 10_000;
/** Maximum characters of the texts of all known states. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Maximum bytes of a stored response that is parsed for an item. */
const MAX_BODY_BYTES = 256 * 1024;

/** The stored tag of an item, or of a collection, which has no state. */
const ITEM_TAG = /^\S+ \/[^?#*]+\/[^/?#*]+$/;

/**
 * What the items of one site were before they are written: as the response to the last write has stated, a stored response, or one to a
 * single client, of which no value is kept. All are known only while no other write may have changed the item since.
 */
export class ItemStates {
  readonly #cache: Pick<HttpCache, 'clock' | 'store'>;
  readonly #states = new LRUCache<string, { readonly state: ItemState; readonly since: number }>({
    max: MAX_ITEMS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ state }) => countCharacters(state),
  });
  /** The same of responses to one client, with the times of request and response. */
  readonly #reads = new LRUCache<string, { readonly state: ItemState; since: number; until: number }>({
    max: MAX_ITEMS,
  });
  /** Cache keys by the tags of items. */
  readonly #keys = new LRUCache<string, string>({ max: MAX_STORED_ITEMS });

  constructor(cache: Pick<HttpCache, 'clock' | 'store'>) {
    this.#cache = cache;
  }

  /** Called with the tags of a REST response that is about to be stored: some are those of the items that it contains. */
  addStored(key: string, tags: readonly string[]): void {
    for (const tag of tags) if (ITEM_TAG.test(tag)) this.#keys.set(tag, key);
  }

  /** Whether there is something that may say what an item is. */
  mayKnow(itemTag: string): boolean {
    return this.#states.has(itemTag) || this.#keys.has(itemTag);
  }

  /**
   * Returns the state of an item before a write; `null` if it is unknown. Called before the purge of the write.
   *
   * @param itemTag tag of the item as it is stored: `example.com /wp/v2/posts/12`
   * @param start when the write began, in milliseconds since the epoch. No other write may have run since then
   */
  getBefore(itemTag: string, start: number): ItemState | null {
    const shown = this.#getShown(itemTag, start);
    const read = this.#reads.get(itemTag);
    const isKnown = read !== undefined && read.until < start && !this.#isChangedSince(itemTag, read.since);
    return isKnown ? new Map([...read.state, ...(shown ?? [])]) : shown;
  }

  #getShown(itemTag: string, start: number): ItemState | null {
    const known = this.#states.get(itemTag);
    if (known !== undefined && !this.#isChangedSince(itemTag, known.since)) return known.state;
    const key = this.#keys.get(itemTag);
    if (key === undefined) return null;
    // A response that a write has marked still says what it shows of the items that this write has not changed.
    const stored = this.#cache.store.inspector
      ?.peek(key)
      .find(
        ({ body, requestTime, responseTime }) =>
          responseTime < start &&
          body.byteLength <= MAX_BODY_BYTES &&
          !this.#isChangedSince(itemTag, requestTime),
      );
    const item = stored === undefined ? undefined : findItem(parseJson(stored.body), itemTag);
    return item !== undefined && isAt(item, itemTag, key) ? readItemState(item) : null;
  }

  /** Remembers which values one client has seen, as hashes. @param since when it sent its request */
  setRead(itemTag: string, body: Json | undefined, since: number): void {
    const item = findItem(body, itemTag);
    if (item === undefined) return;
    this.#reads.set(itemTag, { state: readItemState(item, false), since, until: this.#cache.clock.now() });
  }

  /** Remembers what a write has made of an item. @param since time after its purge */
  setAfter(itemTag: string, state: ItemState, since: number): void {
    this.#states.set(itemTag, { state, since });
  }

  /** Whether a write may have changed an item since a time: also one through another gateway, or one of unknown effect. */
  #isChangedSince(itemTag: string, time: number): boolean {
    const group = { name: `${scopeOf(itemTag)} items`, routeClass: '' };
    return this.#cache.store.isPurgedSince?.('', { tags: [itemTag], group }, time) ?? true;
  }
}

function countCharacters(state: ItemState): number {
  let count = 1;
  for (const { searched, text } of state.values()) count += (text?.length ?? 0) + (searched?.length ?? 0);
  return count;
}

/**
 * Whether an item is the one with the tag. A comment that contains its post as a linked resource may have the id of the post. An item
 * without link is that of its route.
 */
function isAt(item: JsonObject, itemTag: string, key: string): boolean {
  const path = itemTag.slice(itemTag.indexOf(' ') + 1);
  const self = memberAt(item, '_links', 'self');
  const url = Array.isArray(self) ? memberAt(self[0], 'href') : undefined;
  return typeof url === 'string' ? url.toLowerCase().endsWith(path) : key.endsWith(`\nR"${path}"`);
}

/** Finds the item with the tag in the body of a REST response: the body itself, or a member of a list. */
function findItem(body: Json | undefined, itemTag: string): JsonObject | undefined {
  const id = itemTag.slice(itemTag.lastIndexOf('/') + 1);
  const items = Array.isArray(body) ? body : [body];
  return items.find((item): item is JsonObject => isJsonObject(item) && String(item['id']) === id);
}

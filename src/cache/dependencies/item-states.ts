import { LRUCache } from 'lru-cache';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { hashText } from './dependency-learning.ts';
import { plainText } from './page-text.ts';

/** One field of an item: the text of its beginning, `null` if it is too short to be searched for, and a hash of the whole. */
interface FieldState {
  readonly hash: number;
  readonly text: string | null;
}

/** The fields of an item by their places in its REST representation: `title.rendered`. */
export type ItemState = ReadonlyMap<string, FieldState>;

const MAX_FIELDS = 200;
const MAX_DEPTH = 4;
/** Characters of the text of a field that pages are searched for. Lists show the beginning of a long text only. */
const TEXT_LENGTH = 40;
/** Characters of a value from which its text is taken. */
const SOURCE_LENGTH = 4_000;
/** A shorter text is found by chance in most pages. */
const MIN_TEXT_LENGTH = 4;
/** Members with the same content in each representation, or with other resources. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set(['_links', '_embedded']);

/** Reads the fields of an item. */
export function readItemState(item: JsonObject): ItemState {
  const fields = new Map<string, FieldState>();
  const visit = (value: Json, place: string, depth: number): void => {
    if (fields.size >= MAX_FIELDS) return;
    if (depth < MAX_DEPTH && typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!OTHER_MEMBERS.has(name)) visit(member, `${place}.${name}`, depth + 1);
      }
    } else fields.set(place, readField(value));
  };
  visit(item, '', 0);
  return fields;
}

function readField(value: Json): FieldState {
  if (typeof value !== 'string') return { hash: hashText(JSON.stringify(value)), text: null };
  const text = plainText(value.slice(0, SOURCE_LENGTH)).slice(0, TEXT_LENGTH).trim();
  return { hash: hashText(value), text: text.length < MIN_TEXT_LENGTH ? null : text };
}

/**
 * Lists the texts that fields of an item had before a change.
 *
 * @returns `null` if they are unknown: no field differs, or one that does has no text to search for
 */
export function listTextsBefore(before: ItemState, after: ItemState): readonly string[] | null {
  const texts = new Set<string>();
  for (const [place, { hash, text }] of before) {
    const now = after.get(place);
    if (now === undefined || now.hash === hash) continue;
    if (text === null) return null;
    texts.add(text);
  }
  return texts.size === 0 ? null : [...texts];
}

/** Maximum items whose state is known, and maximum items of which it is known where they are stored. */
const MAX_ITEMS = 1_000;
const MAX_STORED_ITEMS = 10_000;
/** Milliseconds for which a state is used: something else may have changed the item at the site itself. */
const MAX_AGE = 600_000;

/** What is known of the items of one site before they are written: the response to their last write, or where they are stored. */
export class ItemStates {
  readonly #states: LRUCache<string, ItemState>;
  /** Cache keys by item. */
  readonly #keys = new LRUCache<string, string>({ max: MAX_STORED_ITEMS });

  /** @param now the clock of the gateway, in milliseconds */
  constructor(now: () => number) {
    this.#states = new LRUCache({ max: MAX_ITEMS, ttl: MAX_AGE, ttlResolution: 0, perf: { now } });
  }

  /** Called with the paths of the items that a response contains which is about to be stored. */
  addStored(key: string, itemPaths: Iterable<string>): void {
    for (const path of itemPaths) this.#keys.set(path, key);
  }

  /** Returns the key of the last response that was stored with the item in it. */
  findKey(itemPath: string): string | undefined {
    return this.#keys.get(itemPath);
  }

  get(itemPath: string): ItemState | undefined {
    return this.#states.get(itemPath);
  }

  set(itemPath: string, state: ItemState): void {
    this.#states.set(itemPath, state);
  }

  /** Called after a change that may be one of any item. */
  clear(): void {
    this.#states.clear();
  }
}

/** Finds the item with the path in the body of a REST response: the body itself, or a member of a list. */
export function findItem(body: Json | undefined, itemPath: string): JsonObject | undefined {
  const id = itemPath.slice(itemPath.lastIndexOf('/') + 1);
  const items = Array.isArray(body) ? body : [body];
  return items.find((item): item is JsonObject => isJsonObject(item) && String(item['id']) === id);
}

import { isJsonObject, type Json } from '../../json.ts';
import { EFFECTS } from './effects.ts';
import { CORE_NAMESPACES, type Resources } from './resources.ts';
import { OPAQUE, OPAQUE_REFERENCES, tagNames } from './tag-names.ts';
import { changedLists, readChange, type Write } from './write.ts';

export type { Write } from './write.ts';

/** What a write strikes, and how hard. */
export interface Invalidation {
  readonly tags: readonly string[];
  /** `soft` where it is not known whether the write happened: what is stored is asked about again before long. */
  readonly mode: 'hard' | 'soft';
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Null where nothing can have changed: the method reads, or the site refused. */
export function invalidationOf(write: Write, resources: Resources): Invalidation | null {
  const { at, method, status } = write;
  if (SAFE.has(method)) return null;
  if (status !== null && status >= 400 && status < 500) return null;
  const known = CORE_NAMESPACES.has(at.namespace) && at.kind !== 'other';
  return {
    tags: [...new Set(known ? coreTags(write, resources) : generalTags(write, resources))],
    mode: status !== null && status >= 200 && status < 400 ? 'hard' : 'soft',
  };
}

function coreTags(write: Write, resources: Resources): readonly string[] {
  const { at } = write;
  // Application passwords and the like are nobody's but the user's.
  if (at.kind === 'users' && at.deeper) return [at.path];
  const change = readChange(write);
  return [
    OPAQUE,
    // What is new changes nothing below its collection.
    ...(change.item === null ? [at.path] : [change.item]),
    ...changedLists(change, resources),
    ...EFFECTS[at.kind].flatMap((effect) => effect.tags(change, resources)),
  ];
}

/**
 * Of a plugin's resources nobody knows what depends on what. Kept is what the paths say to be apart: what is below
 * another item of the same collection (`/boards/4/tasks` when `/boards/3/tasks` is written).
 */
function generalTags({ at, answer, sent, status }: Write, resources: Resources): readonly string[] {
  const namespace = at.namespace === '' ? null : at.namespace;
  if (namespace === null) return ['/'];
  const collections = resources.collectionsOf(namespace);
  const keepsSiblings = at.item !== null || status === 201;
  const tags = [OPAQUE, OPAQUE_REFERENCES, at.path, tagNames.loose(namespace)];
  for (const collection of collections) {
    if (!keepsSiblings || collection !== at.collection) tags.push(tagNames.below(collection));
  }
  if (at.item !== null) tags.push(at.item, tagNames.refers(at.item));
  // A task that moves to another board names it.
  for (const id of idsIn(sent, answer)) tags.push(`${at.collection}/${id}`);
  return tags;
}

/** More ids than this are no references. */
const MOST_IDS = 100;

/** Whole numbers and single words that were sent, and the id that came back. */
function idsIn(sent: ReadonlyMap<string, Json> | null, answer: Json | undefined): ReadonlySet<string> {
  const ids = new Set<string>();
  const visit = (value: Json): void => {
    if (ids.size >= MOST_IDS) return;
    if (typeof value === 'number' || typeof value === 'string') {
      if (/^[\w-]{1,64}$/.test(String(value))) ids.add(String(value).toLowerCase());
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  for (const value of sent?.values() ?? []) visit(value);
  if (isJsonObject(answer)) visit(answer['id'] ?? null);
  return ids;
}

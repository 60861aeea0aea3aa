import { isJsonObject, type Json } from '../../json.ts';
import { CROSS_INVALIDATIONS } from './cross-invalidation.ts';
import { changedListTags, type SiteWrite, toResourceChange } from './resource-change.ts';
import { CORE_NAMESPACES, type ResourceMap } from './resource-map.ts';
import { OPAQUE_REFERENCES_TAG, OPAQUE_TAG, tagNames } from './tag-names.ts';

export type { SiteWrite } from './resource-change.ts';

/** What a write strikes, and how hard. */
export interface Invalidation {
  readonly tags: readonly string[];
  /** `soft` where it is not known whether the write happened: what is stored is asked about again before long. */
  readonly mode: 'hard' | 'soft';
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Null where nothing can have changed: the method reads, or the site refused. */
export function computeInvalidation(write: SiteWrite, resources: ResourceMap): Invalidation | null {
  const { location, method, status } = write;
  if (SAFE.has(method)) return null;
  if (status !== null && status >= 400 && status < 500) return null;
  const known = CORE_NAMESPACES.has(location.namespace) && location.kind !== 'other';
  return {
    tags: [...new Set(known ? coreTags(write, resources) : generalTags(write, resources))],
    mode: status !== null && status >= 200 && status < 400 ? 'hard' : 'soft',
  };
}

function coreTags(write: SiteWrite, resources: ResourceMap): readonly string[] {
  const { location } = write;
  // Application passwords and the like are nobody's but the user's.
  if (location.kind === 'users' && location.isBelowItem) return [location.path];
  const change = toResourceChange(write);
  return [
    OPAQUE_TAG,
    // What is new changes nothing below its collection.
    ...(change.item === null ? [location.path] : [change.item]),
    ...changedListTags(change, resources),
    ...CROSS_INVALIDATIONS[location.kind].flatMap((effect) => effect.tags(change, resources)),
  ];
}

/**
 * Of a plugin's resources nobody knows what depends on what. Kept is what the paths say to be apart: what is below
 * another item of the same collection (`/boards/4/tasks` when `/boards/3/tasks` is written).
 */
function generalTags(
  { location, responseBody, sentFields, status }: SiteWrite,
  resources: ResourceMap,
): readonly string[] {
  const namespace = location.namespace === '' ? null : location.namespace;
  if (namespace === null) return ['/'];
  const collections = resources.collectionsInNamespace(namespace);
  const keepsSiblings = location.item !== null || status === 201;
  const tags = [OPAQUE_TAG, OPAQUE_REFERENCES_TAG, location.path, tagNames.outsideItems(namespace)];
  for (const collection of collections) {
    if (!keepsSiblings || collection !== location.collection) tags.push(tagNames.belowItems(collection));
  }
  if (location.item !== null) tags.push(location.item, tagNames.reference(location.item));
  // A task that moves to another board names it.
  for (const id of idsIn(sentFields, responseBody)) tags.push(`${location.collection}/${id}`);
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

import type { CacheRule } from '../../cache/cache.ts';
import { createPageKey, createRouteKey } from '../../cache/wordpress/cache-key.ts';
import {
  createQueryCanonicalizer,
  type DeclaredParameter,
  type QueryCanonicalizer,
} from '../../cache/wordpress/canonical-query.ts';
import { createRuleResolver, type ResolvedCacheRule } from '../../cache/wordpress/route-cache-rules.ts';
import type { StoreEligibility } from '../../cache/wordpress/store-eligibility.ts';
import { pageTags, tagNames } from '../../cache/wordpress/tag-names.ts';
import type { SiteCacheOptions } from '../options/site-cache-options.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Prepared } from './cacheable-resource.ts';
import { namespaceOf } from './invalidation.ts';
import { fixedTags, type SiteCacheProfile } from './site-cache-profile.ts';

/** What a request is to the store, whoever makes it; null where the store has no part in it. */
export interface Preparer {
  route(snapshot: Snapshot, reading: RouteRequest): Prepared | null;
  page(snapshot: Snapshot, reading: PageRequest, method: string): Prepared | null;
}

const NO_PARAMETERS: ReadonlyMap<string, DeclaredParameter> = new Map();

/** @param gate says which queries say anything of who asks */
export function createPreparer(
  options: SiteCacheOptions,
  gate: StoreEligibility,
  sideOf: (snapshot: Snapshot) => SiteCacheProfile,
): Preparer {
  const ruleOf = createRuleResolver(options.rules ?? [], options.default ?? true);
  const readers = new Map<readonly string[], QueryCanonicalizer>();

  /** A rule may ignore parameters of its own. */
  function readerFor({ key: { ignore } }: ResolvedCacheRule): QueryCanonicalizer {
    const known = readers.get(ignore);
    if (known !== undefined) return known;
    const made = createQueryCanonicalizer({
      ignoreParameters: [...(options.ignoreParameters ?? []), ...ignore],
    });
    readers.set(ignore, made);
    return made;
  }

  function prepareRoute(snapshot: Snapshot, { address, match, target }: RouteRequest): Prepared | null {
    if (gate.checkQuery(target.query) !== null) return null;
    const side = sideOf(snapshot);
    const found = match.kind === 'found' ? match : null;
    const { method, route } = target;
    const namespace = found?.route.namespace ?? namespaceOf(route);
    const rule = ruleOf({ route, namespace, method, isInDocument: found !== null });
    if (!rule.store || (method !== 'GET' && method !== 'HEAD')) return null;
    const reader = readerFor(rule);
    // Where another route may answer, what this one declares says nothing.
    const declared = found?.certain === true ? side.declared(found.operation) : NO_PARAMETERS;
    const meaning = reader.canonicalize(target.query, declared);
    if (meaning === null) return null;
    const at = side.resources.locate(route, namespace, found?.operation.path ?? null);
    const resource = createRouteKey(route, meaning.key);
    const tags = side.scoped([
      ...fixedTags(at, meaning, declared, side.resources),
      ...rule.tags.map(tagNames.customName),
      resource,
    ]);
    const shown = {
      location: at,
      embeds: meaning.values.has('_embed'),
      hasFieldFilter: meaning.values.has('_fields'),
    };
    return new Prepared({
      site: side.name,
      address: strip(address, reader, declared),
      isRoute: true,
      isWordPress: true,
      resource,
      rule,
      tagsOf: (head, body, publicBase) => side.tagsOf(shown, tags, head, body, publicBase),
    });
  }

  function preparePage(
    snapshot: Snapshot,
    { address, target }: PageRequest,
    method: string,
  ): Prepared | null {
    const isWordPress = isDiscovered(snapshot);
    if (isWordPress && gate.checkQuery(target.query) !== null) return null;
    const side = sideOf(snapshot);
    const found = ruleOf({ route: target.path, namespace: '', method, isInDocument: false });
    if (!found.store || (method !== 'GET' && method !== 'HEAD')) return null;
    const rule = found.isConfigured || isWordPress ? found : { ...found, rule: BY_THE_RFC };
    const resource = createPageKey(address);
    const name = createPageKey(normalised(snapshot.origin, address));
    const tags = side.scoped([...pageTags(address), ...rule.tags.map(tagNames.customName), name]);
    return new Prepared({
      site: side.name,
      address,
      isRoute: false,
      isWordPress,
      resource,
      rule,
      tagsOf: (answered) => side.namedTags(tags, answered),
    });
  }

  return { route: prepareRoute, page: preparePage };
}

/** Whether what it serves is known from an index of a WordPress site. */
export function isDiscovered({ judges }: Snapshot): boolean {
  return judges !== null;
}

/** RFC 9111 alone: what the answer states, and the heuristic. */
const BY_THE_RFC: CacheRule = {
  ttl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  override: false,
};

/** An address at the site as the answer to a write names it (RFC 9111 §4.4). */
export function normalised(origin: string, address: string): string {
  const { pathname, search } = new URL(`${origin}${address}`);
  return pathname + search;
}

/** The parameters that mean nothing stand neither in the key nor in what the site repeats in its links. */
function strip(
  address: string,
  reader: QueryCanonicalizer,
  declared: ReadonlyMap<string, DeclaredParameter>,
): string {
  const mark = address.indexOf('?');
  if (mark < 0) return address;
  const query = address.slice(mark + 1);
  const stripped = reader.stripIgnored(query, declared);
  if (stripped === query) return address;
  return stripped === '' ? address.slice(0, mark) : `${address.slice(0, mark + 1)}${stripped}`;
}

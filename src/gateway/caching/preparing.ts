import type { CacheRule } from '../../cache/cache.ts';
import type { Gate } from '../../cache/wordpress/credentials.ts';
import { pageKey, routeKey } from '../../cache/wordpress/key.ts';
import {
  createQueryReader,
  type DeclaredParameter,
  type QueryReader,
} from '../../cache/wordpress/meaning.ts';
import { createRules, type ResolvedRule } from '../../cache/wordpress/rules.ts';
import { pageTags, tagNames } from '../../cache/wordpress/tag-names.ts';
import type { PageReading, RouteReading } from '../reading.ts';
import type { Snapshot } from '../snapshot.ts';
import { namespaceOf } from './invalidating.ts';
import type { SiteCacheOptions } from './options.ts';
import { Prepared } from './prepared.ts';
import { fixedTags, type SiteSide } from './side.ts';

/** What a request is to the store, whoever makes it; null where the store has no part in it. */
export interface Preparer {
  route(snapshot: Snapshot, reading: RouteReading): Prepared | null;
  page(snapshot: Snapshot, reading: PageReading, method: string): Prepared | null;
}

const NO_PARAMETERS: ReadonlyMap<string, DeclaredParameter> = new Map();

/** @param gate says which queries say anything of who asks */
export function createPreparer(
  options: SiteCacheOptions,
  gate: Gate,
  sideOf: (snapshot: Snapshot) => SiteSide,
): Preparer {
  const ruleOf = createRules(options.rules ?? [], options.default ?? true);
  const readers = new Map<readonly string[], QueryReader>();

  /** A rule may ignore parameters of its own. */
  function readerFor({ key: { ignore } }: ResolvedRule): QueryReader {
    const known = readers.get(ignore);
    if (known !== undefined) return known;
    const made = createQueryReader({ ignoreParameters: [...(options.ignoreParameters ?? []), ...ignore] });
    readers.set(ignore, made);
    return made;
  }

  function prepareRoute(snapshot: Snapshot, { address, match, target }: RouteReading): Prepared | null {
    if (gate.query(target.query) !== null) return null;
    const side = sideOf(snapshot);
    const found = match.kind === 'found' ? match : null;
    const { method, route } = target;
    const namespace = found?.route.namespace ?? namespaceOf(route);
    const rule = ruleOf({ route, namespace, method, known: found !== null });
    if (!rule.store || (method !== 'GET' && method !== 'HEAD')) return null;
    const reader = readerFor(rule);
    // Where another route may answer, what this one declares says nothing.
    const declared = found?.certain === true ? side.declared(found.operation) : NO_PARAMETERS;
    const meaning = reader.read(target.query, declared);
    if (meaning === null) return null;
    const at = side.resources.locate(route, namespace, found?.operation.path ?? null);
    const resource = routeKey(route, meaning.text);
    const tags = side.scoped([
      ...fixedTags(at, meaning, declared, side.resources),
      ...rule.tags.map(tagNames.named),
      resource,
    ]);
    const shown = { at, embeds: meaning.values.has('_embed'), partial: meaning.values.has('_fields') };
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
    { address, target }: PageReading,
    method: string,
  ): Prepared | null {
    const isWordPress = isDiscovered(snapshot);
    if (isWordPress && gate.query(target.query) !== null) return null;
    const side = sideOf(snapshot);
    const found = ruleOf({ route: target.path, namespace: '', method, known: false });
    if (!found.store || (method !== 'GET' && method !== 'HEAD')) return null;
    const rule = found.matched || isWordPress ? found : { ...found, rule: BY_THE_RFC };
    const resource = pageKey(address);
    const name = pageKey(normalised(snapshot.origin, address));
    const tags = side.scoped([...pageTags(address), ...rule.tags.map(tagNames.named), name]);
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
  reader: QueryReader,
  declared: ReadonlyMap<string, DeclaredParameter>,
): string {
  const mark = address.indexOf('?');
  if (mark < 0) return address;
  const query = address.slice(mark + 1);
  const stripped = reader.strip(query, declared);
  if (stripped === query) return address;
  return stripped === '' ? address.slice(0, mark) : `${address.slice(0, mark + 1)}${stripped}`;
}

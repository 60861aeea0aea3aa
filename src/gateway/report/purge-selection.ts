import { type Json, type JsonObject, jsonItems } from '../../base/json.ts';
import { adviseNearest, createNearestLookup } from '../../base/nearest-name.ts';
import type { MountedSites } from '../request-context.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import { EVERYTHING, toNamedTags } from '../wordpress/cache-names.ts';

export interface PurgeTargets extends Pick<MountedSites, 'findSite' | 'sites'> {
  readonly publicPath: string;
}

export const USAGE =
  'Send {"url": …}, {"tags": ["/wp/v2/posts/12", …]}, {"site": …} or {"all": true}. "site" restricts the others to one site, and with "soft": true the site is asked before a response is used, which remains for the time that the site fails.';

/** A soft purge keeps responses while the site fails. @returns their number; `null` in a shared store */
export type Purge = (isSoft: boolean) => Promise<number | null>;

export function parsePurge(body: JsonObject, targets: PurgeTargets): Purge | string {
  const { all, site, tags, url } = body;
  // An unusable selector must not widen the purge to the whole site.
  const isKnown = Object.keys(body).every((name) => MEMBERS.has(name));
  if (!isKnown || !SELECTORS.every((name) => isUsableSelector(name, body[name]))) return USAGE;
  if (typeof url === 'string') return createUrlPurge(url, targets);
  const named = typeof site === 'string' ? [targets.sites.get(site)] : [...targets.sites.values()];
  const sites = named.filter((each) => each !== undefined);
  if (sites.length === 0) return describeUnknownSite(String(site), [...targets.sites.keys()]);
  const tagList = jsonItems(tags).filter((name) => typeof name === 'string');
  if (tagList.length > MAX_TAGS) return `Send at most ${MAX_TAGS} tags in one request.`;
  if (tagList.length > 0) return createPurge(sites, tagList.flatMap(toNamedTags));
  return typeof site === 'string' || all === true ? createPurge(sites, [EVERYTHING]) : USAGE;
}

function describeUnknownSite(name: string, sites: readonly string[]): string {
  const advice = adviseNearest(createNearestLookup(sites)(name)) || `. Sites: ${sites.join(', ')}`;
  return `No site of this name is mounted${advice}`;
}

const MAX_TAGS = 1_000;
const SELECTORS = ['url', 'tags', 'site'] as const;
const MEMBERS: ReadonlySet<string> = new Set([...SELECTORS, 'all', 'soft']);

function isUsableSelector(name: (typeof SELECTORS)[number], value: Json | undefined): boolean {
  if (value === undefined) return true;
  if (name !== 'tags') return typeof value === 'string';
  return Array.isArray(value) && value.length > 0 && value.every((tag) => typeof tag === 'string');
}

function createPurge(sites: readonly MountedSite[], tags: readonly string[]): Purge {
  return async (isSoft) => {
    const counting = sites.map(({ caching, runtime: { snapshot } }) =>
      caching === null || snapshot === null
        ? 0
        : caching.purgeTags(snapshot, tags, isSoft ? 'unconfirmed' : 'hard'),
    );
    const counts = await Promise.all(counting);
    return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
  };
}

function createUrlPurge(url: string, targets: PurgeTargets): Purge | string {
  const address = readAddress(url, targets);
  if (typeof address === 'string') return address;
  const { site, target } = address;
  const { snapshot } = site.runtime;
  const tag = snapshot && site.caching?.getResourceTag(snapshot, { method: 'GET', target, headers: [] });
  return createPurge([site], tag ? [tag] : []);
}

/** @returns a sentence if no site serves the URL; an empty host for a path */
export function readAddress(
  text: string,
  { findSite, publicPath }: PurgeTargets,
): { readonly site: MountedSite; readonly target: string; readonly host: string } | string {
  const url = text.startsWith('/') ? `http://gateway${text}` : text;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return 'Type a URL, or a path that begins with a slash.';
  const { host, pathname, search } = new URL(url);
  const path = pathname.startsWith(`${publicPath}/`) ? pathname.slice(publicPath.length) : pathname;
  if (path.startsWith('/-/')) return 'The gateway itself serves this address.';
  const named = text.startsWith('/') ? '' : host;
  const site = findSite(path, named);
  if (site === undefined)
    return 'No site is served at this address. If the site has hosts, give the whole URL: "https://blog.example.com/".';
  return { site, target: path + search, host: named };
}

export function describeMount({ settings: { hosts, mountPath } }: MountedSite): string {
  return hosts.length > 0 ? hosts.join(', ') : mountPath || '/';
}

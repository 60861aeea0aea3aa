import type { PurgeMode } from '../../cache/store.ts';
import { tagNames, toTagPath } from '../../cache/wordpress/tag-names.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { normalizeRoute } from '../../php/route-spelling.ts';
import type { SiteCaching } from '../caching/site-caching.ts';
import { type Problem, problemResponse } from '../plan/problem.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import { type AdminOperation, adminResponse } from './admin-router.ts';
import { readAdminBody } from './request-body.ts';
import { findSiteByKey, siteKey } from './sites.ts';

/** A mounted site, in as far as it can be purged. */
export interface PurgeableSite {
  /** `/content`, or empty. */
  readonly mount: string;
  readonly runtime: SiteRuntime;
  /** Null where nothing of it is kept. */
  readonly caching: SiteCaching | null;
}

export interface PurgeTargets {
  readonly sites: ReadonlyMap<string, PurgeableSite>;
  /** Which of them answers for a path of the gateway. */
  readonly siteAt: (path: string) => PurgeableSite | undefined;
  /** The path of the gateway's public address, without trailing slash. */
  readonly publicPath: string;
}

const USAGE =
  'Send {"url": …}, {"route": "/wp/v2/posts/12"}, {"tags": […]}, {"site": …} or {"all": true}; "site" narrows the others, and "soft": true makes stale instead of removing.';

/** `POST /-/purge`: by address, route, tag, site, or all there is. */
export function purgeOperation(of: PurgeTargets): AdminOperation {
  return {
    method: 'POST',
    path: '/-/purge',
    access: 'token',
    async respond({ request }) {
      const body = await readAdminBody(request);
      const asked = body === null ? null : parseJsonObject(body);
      const purges = asked === null ? null : purgesOf(asked, of);
      if (asked === null || purges === null) return problemResponse(refusal(USAGE));
      if (typeof purges === 'string') return problemResponse(refusal(purges));
      const mode: PurgeMode = asked['soft'] === true ? 'soft' : 'hard';
      const counts = await Promise.all(purges.map((purge) => purge(mode)));
      return adminResponse({ purged: counts.reduce((sum, count) => sum + count, 0), mode });
    },
  };
}

type Purge = (mode: PurgeMode) => number | Promise<number>;

/** Null for what is no purge; a sentence for one that can't be carried out. */
function purgesOf(asked: JsonObject, of: PurgeTargets): readonly Purge[] | string | null {
  const { all, route, site, tags, url } = asked;
  if (typeof url === 'string') return purgeOfAddress(url, of);
  const sites = typeof site === 'string' ? [findSiteByKey(of.sites, site)] : [...of.sites.values()];
  const found = sites.filter((each) => each !== undefined);
  if (found.length === 0)
    return `No such site. There are: ${Array.from(of.sites.values(), siteKey).join(', ')}`;
  const named = namesOf(tags);
  if (typeof route === 'string') return byTags(found, [toTagPath(normalizeRoute(route))]);
  if (named !== null) return byTags(found, named.map(tagOf));
  return typeof site === 'string' || all === true ? byTags(found, ['/']) : null;
}

function namesOf(tags: Json | undefined): readonly string[] | null {
  const names = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  return names.length === 0 ? null : names;
}

/** A path is a route's; anything else is what the site or a rule calls its answers. */
function tagOf(name: string): string {
  return name.startsWith('/') ? toTagPath(normalizeRoute(name)) : tagNames.customName(name);
}

function byTags(sites: readonly PurgeableSite[], tags: readonly string[]): readonly Purge[] {
  return sites.flatMap(({ caching, runtime: { snapshot } }) =>
    caching === null || snapshot === null ? [] : [(mode: PurgeMode) => caching.purge(snapshot, tags, mode)],
  );
}

function purgeOfAddress(url: string, { publicPath, siteAt }: PurgeTargets): readonly Purge[] | string {
  const parsed = URL.canParse(url, 'http://gateway') ? new URL(url, 'http://gateway') : null;
  if (parsed === null) return 'The "url" is neither an address nor a path.';
  const whole = parsed.pathname + parsed.search;
  const target = whole.startsWith(`${publicPath}/`) ? whole.slice(publicPath.length) : whole;
  const site = siteAt(target.split('?', 1)[0] ?? '/');
  const snapshot = site?.runtime.snapshot ?? null;
  if (site === undefined || snapshot === null) return 'No site is mounted at this address.';
  const { caching } = site;
  if (caching === null) return [];
  const tag = caching.tagOf(snapshot, { method: 'GET', target, headers: [] });
  return tag === null ? [] : [(mode) => caching.purge(snapshot, [tag], mode)];
}

/** A body as a JSON object; null where it is none. */
export function parseJsonObject(body: Uint8Array): JsonObject | null {
  try {
    const value: Json = JSON.parse(new TextDecoder().decode(body));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function refusal(message: string): Problem {
  return { status: 400, code: 'gateway_invalid_purge', message };
}

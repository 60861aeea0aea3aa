import { DiscoveryError } from '../../errors.ts';
import type { SiteCircuits } from '../../upstream/site-circuits.ts';
import type { SiteCaching } from '../caching/site-caching.ts';

import { type Problem, problemResponse } from '../exchange/problem.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { SiteValidation } from '../validating/site-validation.ts';
import { type AdminOperation, adminResponse } from './admin-router.ts';

/** The parts of a mounted site that the operations show. */
export interface AdminSite {
  /** Mount path, such as `/content`; empty for the unnamed site. */
  readonly mount: string;
  /** URL of the site, without credentials. */
  readonly url: string;
  readonly runtime: SiteRuntime;
  readonly validation: SiteValidation;
  /** `null` if nothing of the site is cached. */
  readonly caching: Pick<SiteCaching, 'exclusions' | 'learning' | 'purgeCounts'> | null;
  /** Circuit breakers of the site; `null` if they are off. */
  readonly circuits: SiteCircuits | null;
}

/** Key of the site without a name. `-` is an alias that no site can have as its name. */
const UNNAMED_SITE_KEY = 'default';

/** Returns the segment that names a site in the paths of operations, and in metrics. */
export function siteKey({ mount }: Pick<AdminSite, 'mount'>): string {
  return mount === '' ? UNNAMED_SITE_KEY : mount.slice(1);
}

/** Lists the keys of all sites for a message, separated by commas. */
export function formatSiteKeys(sites: ReadonlyMap<string, Pick<AdminSite, 'mount'>>): string {
  return Array.from(sites.values(), siteKey).join(', ');
}

/** Finds a site by its key. A site with the name `default` has precedence over the unnamed site. */
export function findSiteByKey<Site>(sites: ReadonlyMap<string, Site>, key: string): Site | undefined {
  return sites.get(`/${key}`) ?? (key === UNNAMED_SITE_KEY || key === '-' ? sites.get('') : undefined);
}

/** Responds for the site with the given key, or with a 404 that lists the keys. */
export function respondForSite<Site extends Pick<AdminSite, 'mount'>>(
  sites: ReadonlyMap<string, Site>,
  key: string | undefined,
  respond: (site: Site) => Response | Promise<Response>,
): Response | Promise<Response> {
  const site = findSiteByKey(sites, key ?? '');
  if (site !== undefined) return respond(site);
  const notFound: Problem = {
    status: 404,
    code: 'gateway_no_site',
    message: `No site of this name is mounted. Sites: ${formatSiteKeys(sites)}`,
  };
  return problemResponse(notFound);
}

/** Operations that show the sites and their validation, and that discover them again. */
export function createSiteOperations(
  sites: ReadonlyMap<string, AdminSite>,
  rediscover: () => Promise<void>,
): readonly AdminOperation[] {
  const describeAll = (): Promise<readonly object[]> => Promise.all(Array.from(sites.values(), describeSite));
  return [
    {
      method: 'GET',
      path: '/-/sites',
      access: 'token',
      respond: async () => adminResponse({ sites: await describeAll() }),
    },
    {
      method: 'GET',
      path: '/-/sites/:site',
      access: 'token',
      respond: ({ params }) =>
        respondForSite(sites, params['site'], async (site) => adminResponse(await describeSite(site))),
    },
    {
      method: 'GET',
      path: '/-/sites/:site/validation',
      access: 'token',
      respond: ({ params }) =>
        respondForSite(sites, params['site'], (site) =>
          adminResponse({ site: siteKey(site), ...site.validation.createReport(site.runtime.snapshot) }),
        ),
    },
    {
      method: 'POST',
      path: '/-/rediscover',
      access: 'token',
      async respond() {
        await rediscover();
        // A site whose discovery failed is served from its last good document; its `fault` says why.
        const hasFailed = [...sites.values()].some(({ runtime }) => runtime.lastDiscoveryError !== null);
        return adminResponse({ sites: await describeAll() }, hasFailed ? 502 : 200);
      },
    },
  ];
}

async function describeSite(site: AdminSite): Promise<object> {
  const { circuits, mount, runtime, url } = site;
  const { lastDiscoveryError, lastDiscoveredAt, snapshot } = runtime;
  const document = await snapshot?.representations?.get({ format: 'json', namespaces: [] });
  return {
    site: siteKey(site),
    mount: mount === '' ? '/' : mount,
    url,
    title: snapshot?.title ?? null,
    ready: snapshot !== null,
    document: document === undefined ? null : { version: document.etag.replaceAll('"', '') },
    operations: snapshot?.operationCount ?? 0,
    discovery: {
      lastRead: lastDiscoveredAt === null ? null : new Date(lastDiscoveredAt).toISOString(),
      fault: lastDiscoveryError === null ? null : lastDiscoveryError.message,
      reason: lastDiscoveryError instanceof DiscoveryError ? lastDiscoveryError.reason : null,
      diagnostics: snapshot?.diagnostics?.counts ?? null,
    },
    circuit: circuits?.report() ?? null,
    validation: `/-/sites/${siteKey(site)}/validation`,
  };
}

import type { Problem } from '../plan/problem.ts';
import { problemResponse } from '../plan/problem.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { SiteValidation } from '../validating/site-validation.ts';
import { type AdminOperation, adminResponse } from './admin-router.ts';

/** A mounted site, as far as these operations show it. */
export interface AdminSite {
  /** `/content`, or empty. */
  readonly mount: string;
  /** Its address, without credentials. */
  readonly url: string;
  readonly runtime: SiteRuntime;
  readonly validation: SiteValidation;
}

/** The site without a name is called so below `/-/sites/`; `-` means it too, which is no site's name. */
const UNNAMED = 'default';

/** What stands for a site in the paths of its operations. */
export function siteKey({ mount }: Pick<AdminSite, 'mount'>): string {
  return mount === '' ? UNNAMED : mount.slice(1);
}

/** The site of that name; else, where it is the unnamed one's, that. */
export function findSiteByKey<Site>(sites: ReadonlyMap<string, Site>, key: string): Site | undefined {
  return sites.get(`/${key}`) ?? (key === UNNAMED || key === '-' ? sites.get('') : undefined);
}

/** Answers for a site that the address names, or says which there are. */
export function respondForSite<Site extends Pick<AdminSite, 'mount'>>(
  sites: ReadonlyMap<string, Site>,
  key: string | undefined,
  answer: (site: Site) => Response | Promise<Response>,
): Response | Promise<Response> {
  const site = findSiteByKey(sites, key ?? '');
  if (site !== undefined) return answer(site);
  const keys = Array.from(sites.values(), siteKey).join(', ');
  const unknown: Problem = {
    status: 404,
    code: 'gateway_no_site',
    message: `No site of this name is mounted. There are: ${keys}`,
  };
  return problemResponse(unknown);
}

/** What each mount runs, and reading the sites again. */
export function siteOperations(
  sites: ReadonlyMap<string, AdminSite>,
  rediscover: () => Promise<void>,
): readonly AdminOperation[] {
  const shown = async (): Promise<readonly object[]> => Promise.all(Array.from(sites.values(), show));
  return [
    {
      method: 'GET',
      path: '/-/sites',
      access: 'token',
      respond: async () => adminResponse({ sites: await shown() }),
    },
    {
      method: 'GET',
      path: '/-/sites/:site',
      access: 'token',
      respond: ({ params }) =>
        respondForSite(sites, params['site'], async (site) => adminResponse(await show(site))),
    },
    {
      method: 'GET',
      path: '/-/sites/:site/validation',
      access: 'token',
      respond: ({ params }) =>
        respondForSite(sites, params['site'], (site) =>
          adminResponse({ site: siteKey(site), ...site.validation.report(site.runtime.snapshot) }),
        ),
    },
    {
      method: 'POST',
      path: '/-/rediscover',
      access: 'token',
      async respond() {
        await rediscover();
        const failed = [...sites.values()].some(({ runtime }) => runtime.fault !== null);
        // Those that failed are served from their last good document, and are said.
        return adminResponse({ sites: await shown() }, failed ? 502 : 200);
      },
    },
  ];
}

async function show(site: AdminSite): Promise<object> {
  const { mount, runtime, url } = site;
  const { fault, readAt, snapshot } = runtime;
  const document = await snapshot?.renditions?.get({ format: 'json', namespaces: [] });
  return {
    site: siteKey(site),
    mount: mount === '' ? '/' : mount,
    url,
    title: snapshot?.title ?? null,
    ready: snapshot !== null,
    document: document === undefined ? null : { version: document.etag.replaceAll('"', '') },
    operations: snapshot?.operationCount ?? 0,
    discovery: {
      lastRead: readAt === null ? null : new Date(readAt).toISOString(),
      fault: fault === null ? null : fault.message,
      diagnostics: snapshot?.diagnostics ?? null,
    },
    validation: `/-/sites/${siteKey(site)}/validation`,
  };
}

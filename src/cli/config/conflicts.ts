import type { Config, SiteConfig } from '../../base/option-types.ts';
import { findRedisConflicts } from '../../gateway/cache/stores/redis/servers.ts';
import { HostTable, SITE_NAME, toSiteName } from '../../gateway/site/hosts.ts';
import { toOwnAddresses } from '../../gateway/site/settings.ts';

/** Settings that are right one by one, and wrong together: a sentence for each, after its place. */
export function listConflicts(config: Config): readonly string[] {
  const { admin, cache, host, port, redis, sites } = config;
  const isAny = [host, admin.host].some((each) => /^(?:0\.0\.0\.0|::)$/.test(each));
  const isRedis = cache.store !== 'memory' && cache.store !== 'off';
  return [
    ...(admin.port === port && port !== 0 && (isAny || admin.host === host)
      ? [`admin.port: ${port} is the port of the sites, too: only one listener can have it`]
      : []),
    ...(redis !== undefined && isRedis
      ? ['cache.store: must be memory or off, because redis names the server']
      : []),
    ...(typeof redis === 'object' ? findRedisConflicts(redis) : []),
    ...findRepeatedNames(sites),
    ...findRepeatedHosts(config),
    ...sites.flatMap((site, at) => findConflictsOfSite(site).map((conflict) => `sites[${at}].${conflict}`)),
  ];
}

function findConflictsOfSite(site: SiteConfig): readonly string[] {
  const { cache, cors, discovery, document, hosts = [], mcp, passthrough, publicUrl } = site;
  const table = new HostTable<true>();
  for (const host of hosts) table.set(host, true);
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const own = Object.values(toOwnAddresses(site)).filter((path) => path !== null);
  const conflicts: Readonly<Record<string, boolean>> = {
    [`publicUrl: "${publicHost}" is none of the hosts of the site; add it to them`]:
      publicHost !== undefined && table.find(publicHost) === undefined,
    'cache.pages: needs discovery; use a rule instead': cache.pages !== undefined && discovery === 'off',
    'cache.pages: needs "passthrough: true"; otherwise no page is served':
      cache.pages !== undefined && discovery !== 'off' && !passthrough,
    'cors.credentials: cannot be true for every origin (*): each page of the web could act as a visitor. Name the origins':
      cors?.credentials === true && cors.origins.includes('*'),
    'docs: docs, openapi and mcp need different addresses': new Set(own).size < own.length,
    'mcp: needs discovery, or a "document"': mcp !== false && discovery === 'off' && document === undefined,
  };
  return Object.keys(conflicts).filter((sentence) => conflicts[sentence]);
}

/** A name is the site's address below `/-/`, and the name of its state. */
function findRepeatedNames(sites: Config['sites']): readonly string[] {
  const names = sites.map(toSiteName);
  return sites.flatMap(({ hosts: [host] = [], name: stated = '' }, at) => {
    const name = names[at] ?? '';
    const place = `sites[${at}].name`;
    if (stated === '' && !SITE_NAME.test(name))
      return [`${place}: is needed at the host "${host}": operations below /-/ are addressed by it`];
    const isRepeated = names.indexOf(name) < at;
    if (!isRepeated) return [];
    if (host === undefined && stated === '' && isUnnamed(sites[names.indexOf(name)]))
      return [`${place}: only one site may have neither a name nor hosts`];
    const advice = stated === '' ? '; a site with hosts is named after the first of them' : '';
    return [`${place}: the name "${name}" is used twice${advice}`];
  });
}

const isUnnamed = (site: SiteConfig | undefined): boolean => (site?.name ?? site?.hosts) === undefined;

function findRepeatedHosts({ hosts, sites }: Config): readonly string[] {
  const owners = new Map<string, string>();
  const claim = (host: string, owner: string, place: string): readonly string[] => {
    const known = owners.get(host);
    owners.set(host, known ?? owner);
    if (known === undefined) return [];
    const problem = known === owner ? 'stated twice' : `a host of ${known} too`;
    return [`${place}: "${host}" is ${problem}; remove one of them`];
  };
  return [
    ...sites.flatMap((site, at) =>
      (site.hosts ?? []).flatMap((host, entry) =>
        claim(host, `the site "${toSiteName(site)}"`, `sites[${at}].hosts[${entry}]`),
      ),
    ),
    ...[...new Set(hosts)].flatMap((host) => claim(host, 'the gateway', `hosts[${hosts.indexOf(host)}]`)),
  ];
}

import { ConfigurationError } from '../../base/errors.ts';
import type { Config, SiteConfig } from '../../base/option-types.ts';
import { findRedisConflicts } from '../../gateway/cache/stores/redis/servers.ts';
import { HostTable, SITE_NAME, toSiteName } from '../../gateway/site/hosts.ts';
import { toOwnAddresses } from '../../gateway/site/settings.ts';

/** Settings that are right one by one, and wrong together: a sentence for each, after its place. */
export function listConflicts(config: Config): readonly string[] {
  return eachReadable(CONFLICTS, (find) => find(config));
}

/** Thrown by what reads a wrong value. It has no problem of its own: the wrong value is one already. */
const WRONG_VALUE = new ConfigurationError('a value is wrong', { problems: [] });

/** Hides a wrong value, so that nothing is concluded from it. @param path of the value below `settings` */
export function hideWrongValue(settings: unknown, path: readonly (string | number)[]): void {
  const holder = path.slice(0, -1).reduce(findOwn, settings);
  const get = (): never => {
    throw WRONG_VALUE;
  };
  if (holder instanceof Object) Object.defineProperty(holder, path.at(-1) ?? '', { get, enumerable: true });
}

const findOwn = (value: unknown, name: string | number): unknown =>
  value instanceof Object ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

/** Calls a function for each member, unless that, or what the function reads, is a wrong value. */
function eachReadable<T, Found>(
  members: readonly T[],
  find: (member: T, at: number) => Found | readonly Found[],
): readonly Found[] {
  return [...members.keys()].flatMap((at) => {
    try {
      return members.slice(at, at + 1).flatMap((member) => find(member, at));
    } catch (error) {
      if (error === WRONG_VALUE) return [];
      throw error;
    }
  });
}

const sayIf = (isConflict: boolean, sentence: string): readonly string[] => (isConflict ? [sentence] : []);

const CONFLICTS: readonly ((config: Config) => readonly string[])[] = [
  ({ admin, host, port }) => {
    const isAny = [host, admin.host].some((each) => /^(?:0\.0\.0\.0|::)$/.test(each));
    return sayIf(
      admin.port === port && port !== 0 && (isAny || admin.host === host),
      `admin.port: ${port} is the port of the sites, too: only one listener can have it`,
    );
  },
  ({ cache, redis }) =>
    sayIf(
      redis !== undefined && cache.store !== 'memory' && cache.store !== 'off',
      'cache.store: must be memory or off, because redis names the server',
    ),
  ({ redis }) => (typeof redis === 'object' ? findRedisConflicts(redis) : []),
  findRepeatedNames,
  findRepeatedHosts,
  ({ sites }) =>
    eachReadable(sites, (site, at) =>
      eachReadable(SITE_CONFLICTS, (find) => find(site)).map((conflict) => `sites[${at}].${conflict}`),
    ),
];

const SITE_CONFLICTS: readonly ((site: SiteConfig) => readonly string[])[] = [
  ({ hosts = [], publicUrl }) => {
    if (publicUrl === undefined) return [];
    const table = new HostTable<true>();
    for (const host of hosts) table.set(host, true);
    const { host } = new URL(publicUrl);
    const sentence = `publicUrl: "${host}" is none of the hosts of the site; add it to them`;
    return sayIf(table.find(host) === undefined, sentence);
  },
  ({ cache, discovery }) =>
    sayIf(
      cache.pages !== undefined && discovery === 'off',
      'cache.pages: needs discovery; use a rule instead',
    ),
  ({ cache, discovery, passthrough }) =>
    sayIf(
      cache.pages !== undefined && discovery !== 'off' && !passthrough,
      'cache.pages: needs "passthrough: true"; otherwise no page is served',
    ),
  ({ cors }) =>
    sayIf(
      cors?.credentials === true && cors.origins.includes('*'),
      'cors.credentials: cannot be true for every origin (*): each page of the web could act as a visitor. Name the origins',
    ),
  (site) => {
    const own = Object.values(toOwnAddresses(site)).filter((path) => path !== null);
    return sayIf(new Set(own).size < own.length, 'docs: docs, openapi and mcp need different addresses');
  },
  ({ discovery, document, mcp }) =>
    sayIf(
      mcp !== false && discovery === 'off' && document === undefined,
      'mcp: needs discovery, or a "document"',
    ),
];

/** A name is the site's address below `/-/`, and the name of its state. */
function findRepeatedNames({ sites }: Config): readonly string[] {
  const owners = new Map<string, SiteConfig>();
  return eachReadable(sites, (site, at) => {
    const { hosts: [host] = [], name: stated = '' } = site;
    const name = toSiteName(site);
    const place = `sites[${at}].name`;
    if (stated === '' && !SITE_NAME.test(name))
      return `${place}: is needed at the host "${host}": operations below /-/ are addressed by it`;
    const owner = owners.get(name);
    owners.set(name, owner ?? site);
    if (owner === undefined) return [];
    if (host === undefined && stated === '' && (owner.name ?? owner.hosts) === undefined)
      return `${place}: only one site may have neither a name nor hosts`;
    const advice = stated === '' ? '; a site with hosts is named after the first of them' : '';
    return `${place}: the name "${name}" is used twice${advice}`;
  });
}

function findRepeatedHosts({ hosts, sites }: Config): readonly string[] {
  const owners = new Map<string, SiteConfig>();
  const claim = (host: string, claimant: SiteConfig | null, place: string): readonly string[] => {
    const owner = owners.get(host);
    if (claimant !== null) owners.set(host, owner ?? claimant);
    if (owner === undefined) return [];
    const problem = owner === claimant ? 'stated twice' : `a host of the site "${toSiteName(owner)}" too`;
    return [`${place}: "${host}" is ${problem}; remove one of them`];
  };
  return [
    ...eachReadable(sites, (site, at) =>
      eachReadable(site.hosts ?? [], (host, entry) => claim(host, site, `sites[${at}].hosts[${entry}]`)),
    ),
    ...eachReadable(hosts, (host, at) => claim(host, null, `hosts[${at}]`)),
  ];
}

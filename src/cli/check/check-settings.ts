import { createServer } from 'node:net';
import type { Config } from '../../../generated/option-types.d.ts';
import { parseRouteGlob } from '../../glob.ts';
import { parseNetwork } from '../../upstream/forwarded.ts';
import type { ReportProblem } from './problems.ts';

/** Warns of settings that are valid, and that hardly anybody means: known from configurations of nginx, Traefik, Caddy and Kong. */
export function checkSettings(config: Config, report: ReportProblem): void {
  for (const message of listDoubts(config)) report('warning', message);
}

function* listDoubts(config: Config): Generator<string> {
  const { access, admin, cache, limits, publicUrl, sites, tls, trust } = config;
  yield* doubtNetworks('trust', trust);
  yield* doubtRules('limits', limits.rules);
  for (const [at, network] of trust.entries())
    if (/^(?:0\.0\.0\.0|::)\/0$/.test(network))
      yield `trust[${at}]: every client can state any address; name the networks of your proxies`;
  if (trust.length === 0 && tls === undefined && publicUrl?.startsWith('https:') === true) {
    const place = [access.allow, access.deny].some((list = []) => list.length > 0)
      ? 'access'
      : limits.client !== undefined && 'limits';
    if (place)
      yield `${place}: all clients have the address of the proxy that takes TLS; name its network in "trust"`;
  }
  yield* doubtAccess('access', access);
  if (cache.maxEntryBytes > cache.maxBytes)
    yield 'cache.maxEntryBytes: no such response fits into cache.maxBytes';
  const publicHost = publicUrl === undefined ? '' : new URL(publicUrl).host;
  for (const [at, site] of sites.entries()) {
    const place = `sites[${at}]`;
    const { host, password, username } = new URL(site.url);
    if (`${username}${password}` !== '')
      yield `${place}.url: credentials stand in the file; set upstream.auth, or WAYGATE_UPSTREAM_AUTH in the environment`;
    if (host === publicHost)
      yield `${place}.url: is the gateway's own publicUrl, so its requests come back to it; name the address of the site`;
    yield* doubtAccess(`${place}.access`, site.access);
    yield* doubtNetworks(`${place}.cache.purge.networks`, site.cache.purge?.networks);
    yield* doubtRules(`${place}.cache`, site.cache.rules);
    yield* doubtRules(`${place}.limits`, site.limits.rules);
    for (const name of ['webhook', 'purge'] as const) {
      const { [name]: stated } = site.cache;
      if (admin.token !== undefined && admin.token === (typeof stated === 'object' ? stated.secret : stated))
        yield `${place}.cache.${name}: is the admin token, with which the site controls the gateway; give it another secret`;
    }
  }
}

/** The bits of a network after its prefix. nginx says the same: "low address bits of 10.0.0.1/8 are meaningless". */
function* doubtNetworks(setting: string, networks: readonly string[] = []): Generator<string> {
  for (const [at, text] of networks.entries()) {
    const { rest = 0n, value = 0n } = readNetwork(text) ?? {};
    if (BigInt.asUintN(Number(rest), value) === 0n) continue;
    const [address, length] = text.split('/');
    yield `${setting}[${at}]: the bits after /${length} count for nothing; for this address alone write ${address}`;
  }
}

function* doubtAccess(setting: string, { allow = [], deny = [] }: Config['access']): Generator<string> {
  yield* doubtNetworks(`${setting}.allow`, allow);
  yield* doubtNetworks(`${setting}.deny`, deny);
  for (const [at, text] of allow.entries()) {
    const own = readNetwork(text);
    const isRefused = deny
      .map(readNetwork)
      .some(
        (other) =>
          own !== undefined &&
          other?.width === own.width &&
          other.rest >= own.rest &&
          other.value >> other.rest === own.value >> other.rest,
      );
    if (isRefused) yield `${setting}.allow[${at}]: deny has all of ${text} too, and deny wins`;
  }
}

/** @returns `undefined` for what is reported as no network */
function readNetwork(text: string): ReturnType<typeof parseNetwork> | undefined {
  try {
    return parseNetwork(text, '');
  } catch {
    return undefined;
  }
}

interface Rule {
  readonly match: string | readonly string[];
  /** @default all */
  readonly methods?: readonly string[] | undefined;
}

/** The first rule that matches applies. A glob that matches the text of another one matches all that this one does. */
function* doubtRules(setting: string, rules: readonly Rule[] = []): Generator<string> {
  for (const [at, { match, methods }] of rules.entries()) {
    const before = rules
      .slice(0, at)
      .findIndex(
        (earlier) =>
          (earlier.methods === undefined || methods?.every((method) => earlier.methods?.includes(method))) &&
          [match].flat().every((glob) => [earlier.match].flat().some((each) => isCovered(glob, each))),
      );
    if (before < 0) continue;
    yield `${setting}.rules[${at}]: never applies, because rules[${before}] matches all of it; put it before that`;
  }
}

function isCovered(glob: string, by: string): boolean {
  const { isForRoutes, matches } = parseRouteGlob(by);
  return isForRoutes === glob.startsWith('/') && matches(glob);
}

/** Warns of ports that are in use: by another program, or by the gateway that runs with this configuration. */
export async function checkPorts({ admin, host, port }: Config, report: ReportProblem): Promise<void> {
  const check = (setting: string, address: { readonly host: string; readonly port: number | undefined }) =>
    new Promise<void>((resolve) => {
      if (address.port === undefined) return resolve();
      const server = createServer().once('error', (error) => {
        // Other errors depend on who starts the gateway.
        if ('code' in error && error.code === 'EADDRINUSE')
          report(
            'warning',
            `${setting}: ${address.host}:${address.port} is in use, unless by this gateway itself`,
          );
        resolve();
      });
      server.listen(address, () => server.close(() => resolve()));
    });
  await Promise.all([
    check('port', { host, port }),
    check('admin.port', { host: admin.host, port: admin.port }),
  ]);
}

import { DiscoveryError } from '../../base/errors.ts';
import { parseAddressGlob } from '../../base/glob.ts';
import {
  explainReasons,
  findRemedy,
  listUnstoredReasons,
  writeReason,
} from '../../base/http/cache-status.ts';
import { jsonTexts, memberAt, parseJson } from '../../base/json.ts';
import { adviseNearest, createNearestLookup } from '../../base/nearest-name.ts';
import type { Config, SiteConfig } from '../../base/option-types.ts';
import { silentLog } from '../../base/ports.ts';
import { formatDuration, shorten } from '../../base/text.ts';
import type { Gateway, GatewayOptions, SiteOptions } from '../../gateway/index.ts';
import { OWN_FOLDER } from '../../gateway/router/target.ts';
import {
  type MountedSiteSettings,
  readMountedSiteSettings,
  type SiteUpstream,
} from '../../gateway/site/settings.ts';
import {
  createInitialSnapshot,
  createSnapshotDiscovery,
  describeDocumentAddress,
  describeForeignLinks,
} from '../../gateway/site/snapshot/discover-snapshot.ts';
import type { Snapshot } from '../../gateway/site/snapshot/snapshot.ts';
import { splitWriteMatch } from '../../gateway/wordpress/writes.ts';
import type { DiscoverOptions } from '../../generator/discovery/options.ts';
import { describeUnknownTools, EXTEND_RULE } from '../../generator/openapi/overlay.ts';
import { openGateway } from '../../open-gateway.ts';
import { createGatewayOptions, readSite } from '../config/gateway-settings.ts';
import { type ReportProblem, reportErrors } from './problems.ts';

type OnProgress = NonNullable<DiscoverOptions['onProgress']>;

export async function checkSites(
  config: Config,
  offline: boolean,
  report: ReportProblem,
  onProgress: OnProgress,
): Promise<number> {
  const read = await Promise.all(
    config.sites.map((site, at) => reportErrors(report, `sites[${at}]`, () => readSite(site, at))),
  );
  // A site whose files are missing keeps its position, which messages name.
  const sites = config.sites.map(({ hosts, name, url }, at): SiteOptions => read[at] ?? { hosts, name, url });
  const options = createGatewayOptions(config, sites, 'off', silentLog);
  const own = { ...options, notify: [] };
  const counts = await Promise.all(
    config.sites.map(async (site, at) => {
      const siteOptions = read[at];
      if (siteOptions === undefined) return 0;
      const setting = `sites[${at}]`;
      const snapshot = await reportErrors(report, `${setting}.url`, () =>
        checkSite(siteOptions, own, offline, report, onProgress),
      );
      if (!snapshot) return 0;
      const document = snapshot.documented?.document ?? siteOptions.document;
      const ofSubsites = offline
        ? []
        : await checkPages({ ...siteOptions, document }, own, setting, report, onProgress);
      checkRules(site, setting, snapshot, ofSubsites, report);
      return snapshot.operationCount;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const DISCOVERY_TIMEOUT = 60_000;

async function checkSite(
  options: SiteOptions,
  gateway: GatewayOptions,
  offline: boolean,
  report: ReportProblem,
  onProgress: OnProgress,
): Promise<Snapshot | null> {
  const settings = readMountedSiteSettings(options, gateway);
  const { setting, source } = settings;
  const stored = options.document === undefined ? null : createInitialSnapshot(settings);
  const misplaced = stored && describeDocumentAddress(stored.siteAddress, settings);
  if (misplaced) report('warning', misplaced);
  await checkOwnAddresses(settings, offline, report);
  const discover = createSnapshotDiscovery({
    ...settings,
    source: { ...source, document: undefined, discover: { ...source.discover, onProgress } },
  });
  if (offline) return stored;
  const discovered = await reportErrors(report, `${setting}.url`, async () => {
    const limit = new AbortController();
    const timeout = options.timeouts?.headers ?? DISCOVERY_TIMEOUT;
    const error = new DiscoveryError(`could not be read within ${formatDuration(timeout)}`, {
      reason: 'timeout',
    });
    const timer = setTimeout(() => limit.abort(error), timeout);
    try {
      const { failure, snapshot } = (await discover?.(limit.signal, '', undefined)) ?? {};
      if (failure) throw failure;
      return snapshot ?? null;
    } finally {
      clearTimeout(timer);
    }
  });
  const warning = discovered && describeForeignLinks(discovered.siteAddress, settings);
  if (warning) report('warning', `${setting}.url: ${warning}`);
  return discovered ?? stored;
}

async function checkOwnAddresses(
  { addresses: { docs, mcp, openapi }, options, setting, upstream }: MountedSiteSettings,
  offline: boolean,
  report: ReportProblem,
): Promise<void> {
  if (options.passthrough !== true) return;
  for (const [name, path] of Object.entries({ docs, openapi, 'mcp.path': mcp })) {
    if (path === null || path.startsWith(OWN_FOLDER)) continue;
    if (!offline && (await isMissing(upstream, path))) continue;
    const hidden = name === 'docs' ? `${path} and everything below it` : path;
    report(
      'warning',
      `${setting}.${name}: clients get the gateway's response, and not the site's, at ${hidden}`,
    );
  }
}

async function isMissing({ fetch, siteUrl }: SiteUpstream, path: string): Promise<boolean> {
  const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT);
  try {
    const response = await fetch(siteUrl.replace(/\/*$/, path), { redirect: 'manual', signal });
    await response.body?.cancel();
    return response.status === 404 || response.status === 410;
  } catch {
    return false;
  }
}

interface DeclaredGlob {
  readonly setting: string;
  readonly glob: string;
  readonly methods: readonly string[];
  readonly isForPaths: boolean;
  readonly isForPages: boolean;
}

const WRITING_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const ALL_METHODS = ['GET', ...WRITING_METHODS];

type RuledSite = Pick<SiteConfig, 'cache' | 'limits' | 'mcp' | 'passthrough' | 'validation'>;

/** @param ofSubsites namespaces that the document has not */
function checkRules(
  site: RuledSite,
  setting: string,
  snapshot: Snapshot,
  ofSubsites: readonly string[],
  report: ReportProblem,
): void {
  const { diagnostics, matcher, nameRoute, requestValidators } = snapshot;
  if (requestValidators === null) return;
  for (const { message, rule } of diagnostics?.listed ?? []) {
    if (/^(?:pattern-matches-nothing|options-incomplete)$/.test(rule))
      report('warning', `${setting}: ${message}`);
    if (rule === EXTEND_RULE) report('error', `${setting}.${message}`);
  }
  for (const problem of describeUnknownTools(site.mcp, requestValidators.getOperationsById().keys()))
    report('error', `${setting}.mcp: ${problem}`);
  const operations = Array.from(requestValidators.listOperations(), ({ operation, route }) => ({
    method: operation.method,
    path: operation.path,
    names: [
      ...nameRoute(operation.path),
      ...nameRoute('').map((prefix) => prefix + route.pattern.toLowerCase()),
    ],
    namespace: route.namespace,
  }));
  const find = createNearestLookup(operations.flatMap(({ namespace, path }) => [path, namespace]));
  for (const { glob: text, isForPages, isForPaths, methods, setting: place } of listGlobs(site, setting)) {
    const glob = parseAddressGlob(text);
    const prefix = nameRoute('/').findLast((each) => glob.text.startsWith(each)) ?? '/';
    const route = glob.text.slice(prefix.length - 1);
    if (ofSubsites.some((namespace) => route.startsWith(`/${namespace}/`))) continue;
    const path = route.replaceAll('*', '1');
    const found = operations.filter(({ names, namespace }) =>
      glob.isForRoutes ? names.some(glob.matches) : glob.matches(namespace),
    );
    const matches =
      glob.isForRoutes && isForPaths ? methods.map((method) => matcher.match(method, path)) : [];
    const isMatched =
      found.some(({ method }) => methods.includes(method)) || matches.some(({ kind }) => kind === 'found');
    if (isMatched) continue;
    const hasOtherMethods = found.length > 0 || matches.some(({ kind }) => kind === 'method-not-allowed');
    const nearest = hasOtherMethods ? undefined : find(glob.isForRoutes ? route : text);
    const isKnown = hasOtherMethods || nearest !== undefined;
    // A site with passthrough has pages too.
    const isForRoutes = prefix !== '/' || text.includes('rest_route=') || /^\/[\w-]+\/v\d/.test(route);
    if (isForPages && !isKnown && !isForRoutes && /^[/*]/.test(text)) continue;
    const advice = adviseNearest(nearest);
    const words = hasOtherMethods
      ? `the document has no ${methods.join(', ')} there`
      : 'the document has no such route';
    report(isKnown ? 'error' : 'warning', `${place}: "${text}" matches nothing: ${words}${advice}`);
  }
}

function* listGlobs(
  { cache, limits, passthrough, validation }: RuledSite,
  site: string,
): Generator<DeclaredGlob> {
  const list = (
    setting: string,
    match: string | readonly string[],
    methods: readonly string[] = ALL_METHODS,
    isForPaths = true,
  ): readonly DeclaredGlob[] =>
    (typeof match === 'string' ? [match] : match).map((glob, at) => ({
      setting: typeof match === 'string' ? setting : `${setting}[${at}]`,
      glob,
      methods: methods.map((method) => method.replace('HEAD', 'GET')),
      isForPaths,
      isForPages: passthrough,
    }));
  for (const [at, { match }] of (cache.rules ?? []).entries()) {
    yield* list(`${site}.cache.rules[${at}].match`, match, ['GET']);
  }
  for (const [at, { match }] of (cache.writes ?? []).entries()) {
    const { globs, methods } = splitWriteMatch(match);
    const routes = globs
      .filter((glob) => glob.startsWith('/'))
      .map((glob) => glob.replace(/\?(?!rest_route=).*/s, ''));
    for (const glob of routes)
      yield* list(
        `${site}.cache.writes[${at}].match`,
        glob,
        methods.length === 0 ? WRITING_METHODS : methods,
      );
  }
  for (const [at, { match, methods }] of (limits.rules ?? []).entries()) {
    yield* list(`${site}.limits.rules[${at}].match`, match, methods);
  }
  for (const [at, namespace] of (validation.trust ?? []).entries()) {
    yield* list(`${site}.validation.trust[${at}]`, namespace, undefined, false);
  }
}

const CHROME = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
  'sec-ch-ua': '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'upgrade-insecure-requests': '1',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const PAGES = 3;
const MAX_COOKIES = 20;
const MAX_TEXT = 256 * 1024;

const LINK = /<a\b[^>]{0,300}?\bhref=["']([^"']{1,2000})["']/gi;
const STATING_FIELDS = ['cache-control', 'cdn-cache-control', 'expires'];

/**
 * Loads pages three times, as Chrome does, with all cookies. Reports why the last load wasn't a hit.
 * @returns namespaces of subsites that the document has not
 */
async function checkPages(
  { hosts: _hosts, name: _name, rediscover: _interval, ...site }: SiteOptions,
  options: GatewayOptions,
  setting: string,
  report: ReportProblem,
  onProgress: OnProgress,
): Promise<readonly string[]> {
  if (site.passthrough !== true || typeof site.cache !== 'object' || !site.cache.pages) return [];
  const gateway = openGateway({ ...options, sites: [site], hosts: [], cache: 'memory' });
  const [base = '', ...others] = [site.publicUrl ?? options.publicUrl ?? site.url, site.url];
  const origins = [base, ...others].map((url) => new URL(url).origin);
  const cookies = new Map<string, string>();

  const load = async (path: string): Promise<{ readonly fields: Headers; readonly text: string }> => {
    const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ');
    const headers = { ...CHROME, ...(cookie !== '' && { cookie }) };
    const url = new URL(path, base);
    onProgress({ step: 'request', url: url.href });
    const response = await gateway.fetch(new Request(url, { headers }));
    for (const line of response.headers.getSetCookie()) {
      const [, name, value = ''] = /^([^=;]{1,256})=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && cookies.size < MAX_COOKIES) cookies.set(name.trim(), value.trim());
    }
    return { fields: response.headers, text: (await response.text()).slice(0, MAX_TEXT) };
  };

  try {
    await gateway.rediscover();
    const { text } = await load('/');
    const links = Array.from(text.matchAll(LINK), ([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => URL.canParse(href, base))
      .map((href) => new URL(href, base))
      .filter(({ origin }) => origins.includes(origin))
      .map(({ pathname, search }) => pathname + search)
      .filter((path) => path !== '/' && !/[?.]|\/(?:wp-|cart|checkout|my-account)/.test(path));
    for (const path of new Set(['/', ...links].slice(0, PAGES))) {
      // The first response is its client's, the second is stored, the third can be a hit.
      await load(path);
      await load(path);
      const { fields } = await load(path);
      const [, ttl] = /; hit; ttl=(-?\d+)/.exec(fields.get('cache-status') ?? '') ?? [];
      const states = STATING_FIELDS.flatMap((field) =>
        fields.has(field) ? [`${field}: ${fields.get(field)}`] : [],
      );
      const place = `${setting}.cache.pages: ${path}`;
      if (ttl === undefined)
        report('warning', `${place} is no hit when Chrome loads it again: ${describe(gateway, cookies)}`);
      else if (states.length > 0)
        report('notice', `${place} states ${states.join(', ')}, and is stored for ${ttl} s`);
    }
    const [mounted] = gateway.context.sites.values();
    const { representations, subsites } = mounted?.runtime.snapshot ?? {};
    const unknown: string[] = [];
    for (const folder of subsites?.listFolders().slice(0, PAGES) ?? []) {
      const { text: index } = await load(`${folder}wp-json/?_fields=namespaces`);
      const all = jsonTexts(memberAt(parseJson(index), 'namespaces'));
      const own = all.filter((name) => representations?.namespaces.includes(name) === false);
      for (const name of own) report('notice', describeUnknownNamespace(setting, folder, name));
      unknown.push(...own);
    }
    return unknown;
  } finally {
    await gateway.stop();
  }
}

function describeUnknownNamespace(setting: string, folder: string, namespace: string): string {
  const route = `${shorten(namespace, 100)}/*`;
  return `${setting}: the document has no ${shorten(namespace, 100)} of the subsite ${folder}, so its reads are neither validated nor stored. If they are the same for everyone, cache.rules: [{ match: "/${route}", ttl: 60s }] stores them`;
}

/** Names all cookies of a page, and its nonce, which `Cache-Status` does not. */
function describe({ context }: Gateway, cookies: ReadonlyMap<string, string>): string {
  const [site] = context.sites.values();
  const found = listUnstoredReasons(site?.recorder.requests.list()[0]?.cacheStatus ?? {});
  const isOfCookie = found.some(({ kind }) => kind === 'cookie' || kind === 'set-cookie');
  const ofCookies = Array.from(isOfCookie ? cookies : [], ([name, value]) =>
    site?.caching?.bypassRules.checkRequest('GET', 'GET', ['Cookie', `${name}=${value}`]),
  ).flatMap((bypass) => (bypass?.reason.kind === 'cookie' ? [bypass.reason] : []));
  const reasons = ofCookies.length === 0 ? found : ofCookies;
  const nonces =
    found.at(-1)?.kind === 'nonce in body' ? site?.caching?.exclusions.nonces.values() : undefined;
  const named = [...(nonces ?? [])].slice(0, 5).join(', ');
  const remedies = reasons.slice(-ofCookies.length || -1).map((reason) => {
    const remedy = findRemedy(reason);
    return ofCookies.length > 1 && 'name' in reason ? `${reason.name}: ${remedy}` : remedy;
  });
  const remedy = remedies.filter((each) => each !== '').join('; ');
  const detail = reasons.map(writeReason).join(', ') + (named === '' ? '' : ` (${named})`);
  return `${detail}: ${explainReasons(reasons)}${remedy === '' ? '' : `. What helps: ${remedy}`}`;
}

import { ConfigurationError, DiscoveryError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, jsonMembers, ownMember, toJsonObject } from '../../base/json.ts';
import { systemClock } from '../../base/ports.ts';
import { runInSlices } from '../../base/steps.ts';
import {
  createRedactor,
  isHttpUrl,
  parseSiteUrl,
  readSelfLink,
  redactError,
  rootFromUrl,
  routeInUrl,
  routeUrl,
  toSiteAddress,
} from './address.ts';
import { createDiscoveryHeaders, DiscoveryClient } from './client.ts';
import { createDiscoveryError, type FetchFailure, isTemporary } from './failures.ts';
import { type FoundIndex, fetchNamespace, findIndex } from './find-index.ts';
import { collectDiagnostics, listTexts, type RuleReporter } from './index-values.ts';
import { type DiscoverOptions, type RouteSelection, resolveDiscoverOptions } from './options.ts';
import { describeIndexDefect, readIndex, readIndexObject } from './read-index.ts';
import { resolveReferences } from './references.ts';
import {
  type AskedRoutes,
  askRoutes,
  type DiscoveryPace,
  type EarlierAnswers,
  NOTHING_ASKED,
  withRouteAdditions,
} from './route-options.ts';
import { type DiscoveredSite, findNamespace, type RootIndex, type SiteAddress } from './site.ts';

/**
 * Finds and reads the root index of a site. `diagnostics` lists what its index loses.
 * @param input URL of the site's front page, of its root index in any spelling, or of any page of the site
 * @throws {DiscoveryError} when no root index can be read
 * @throws {ConfigurationError} when an option is invalid
 * @throws the reason of `options.signal` when that signal aborts
 *
 * @example
 * import { discover } from 'waygate';
 *
 * const { address, diagnostics } = await discover('https://example.com', { exclude: ['/batch/*'] });
 * console.log(address.root, diagnostics.length);
 */
export async function discover(input: string, options: DiscoverOptions = {}): Promise<DiscoveredSite> {
  const { asked: _, ...site } = await discoverWith(input, options);
  return site;
}

/** @param recall returns earlier answers of the routes, which those that do not answer keep */
export async function discoverWith(
  input: string,
  options: DiscoverOptions,
  recall?: (read: Pick<DiscoveredSite, 'address' | 'index'>) => Promise<EarlierAnswers | undefined>,
  pace: DiscoveryPace = 'patient',
): Promise<DiscoveredSite & { readonly asked: AskedRoutes }> {
  const settings = resolveDiscoverOptions(options);
  const site = parseSiteUrl(input);
  const { diagnostics: reported, report } = collectDiagnostics();
  if (site.auth !== undefined) report('credentials-in-url', { pointer: '' });
  const auth = options.auth ?? site.auth;
  const headers = createDiscoveryHeaders(auth, options.headers ?? {});
  const redact = createRedactor(auth, headers.secretHeaders);
  const client = new DiscoveryClient(site.url, headers, settings, report);
  try {
    const hasCredentials = headers.secretHeaders.length > 0;
    const found = await findIndex(site.url, {
      client,
      report,
      hasCredentials,
      asksAgain: pace === 'patient',
      namespaces: [...settings.namespaces, routeInUrl(site.url)].filter((name) => name !== ''),
    });
    reportIndexResponse(found, report);
    const address = toSiteAddress(found.root, found.json);
    const { failure, given, json } = await withNamespaces(
      found,
      site.url,
      settings.namespaces,
      client,
      report,
      pace === 'patient',
    );
    if (found.closed !== undefined && jsonMembers(json['routes']).length === 0)
      throw createDiscoveryError([found.closed], site.url, client.attempts, hasCredentials);
    const selection =
      given === '' || settings.include.length > 0 ? settings : { ...settings, include: [given] };
    const read = await runInSlices(readIndexObject(json, selection, report), systemClock, settings.signal);
    const mentions = new NamespaceMentions(json, [site.url.href, address.base, address.root]);
    mentions.add(found.pageText ?? '');
    const areRefused = auth !== undefined && (await reportUnusedCredentials(address, read, client, report));
    const earlier = settings.options ? await recall?.({ address, index: read }) : undefined;
    const asked =
      // Plugins count wrong passwords and lock their sender out.
      settings.options && !areRefused
        ? await askRoutes(address, read.routes, client, {
            report,
            mentioned: (text) => mentions.add(text),
            earlier,
            pace,
          })
        : { ...NOTHING_ASKED, ...earlier?.asked };
    mentions.report(report);
    const described = withRouteAdditions(read.routes, asked.additions);
    const routes = await resolveReferences(described, address.root, client, report);
    const index = { ...read, routes };
    if (found.helpContextFailure === undefined) reportMissingSchemas(index, report);
    const diagnostics = reported.map((each) => ({ ...each, message: redact(each.message) }));
    const isReadAsUser =
      headers.secretHeaders.some(([name]) => /^(?:authorization|cookie)$/.test(name)) &&
      !diagnostics.some(({ rule }) => /^credentials-(?:unused|withheld)$/.test(rule));
    return {
      address,
      index,
      asked: { ...asked, unread: asked.unread.map(redact) },
      ...(asked.additions.size > 0 ? { additions: asked.additions } : {}),
      ...(isReadAsUser ? { isReadAsUser } : {}),
      ...(failure !== undefined ? { schemasFailure: redact(`${failure.url} ${failure.description}.`) } : {}),
      diagnostics,
    };
  } catch (error) {
    throw error instanceof DiscoveryError ? redactError(error, redact) : error;
  }
}

/**
 * Adds the indexes of the namespaces that the settings or the address name. WordPress sends a namespace's index to anybody, even
 * if a plugin such as CoCart removes the namespace from the root index.
 * @returns the root index with their routes, the namespace that the address is the index of, and a temporary failure, because of
 *   which namespaces or schemas are missing
 */
async function withNamespaces(
  { helpContextFailure, json, root }: FoundIndex,
  input: URL,
  namespaces: readonly string[],
  client: DiscoveryClient,
  report: RuleReporter,
  asksAgain: boolean,
): Promise<{
  readonly json: JsonObject;
  readonly given: string;
  readonly failure: FetchFailure | undefined;
}> {
  const listed = new Set(listTexts(json['namespaces']));
  const inUrl = routeInUrl(input);
  const isHidden = inUrl !== '' && findNamespace(`/${inUrl}`, listed) === '';
  const routes = new Map(jsonMembers(json['routes']));
  const failures = helpContextFailure === undefined ? [] : [helpContextFailure];
  for (const namespace of new Set([...namespaces, ...(isHidden ? [inUrl] : [])])) {
    const found = await fetchNamespace(root, namespace, client, asksAgain);
    if (!('root' in found)) {
      failures.push(found);
      report('namespace-unread', { pointer: '/namespaces' }, `${found.url} ${found.description}.`);
      continue;
    }
    if (found.helpContextFailure !== undefined) {
      failures.push(found.helpContextFailure);
      reportHelpFailure(found.helpContextFailure, report);
    }
    listed.add(namespace);
    for (const [pattern, route] of jsonMembers(found.json['routes']))
      if (!routes.has(pattern)) routes.set(pattern, route);
  }
  const isNamespace = listed.has(inUrl);
  if (isNamespace) report('namespace-selected', { pointer: '/namespaces' }, `Namespace: ${inUrl}.`);
  return {
    json:
      namespaces.length === 0 && !isHidden
        ? json
        : { ...json, namespaces: [...listed], routes: Object.fromEntries(routes) },
    given: isNamespace ? inUrl : '',
    failure: failures.find(isTemporary),
  };
}

const MAX_MENTIONS = 20;
/** Addresses read in a text, and characters of each before its path. */
const MAX_ADDRESSES = 2_000;
const MAX_LOOK_BEHIND = 300;

/** Unlisted namespaces in addresses of a site's pages and responses. */
class NamespaceMentions {
  readonly #listed: ReadonlySet<string>;
  readonly #routes: JsonObject;
  readonly #hosts: ReadonlySet<string>;
  readonly #found = new Set<string>();

  constructor({ namespaces, routes }: JsonObject, urls: readonly string[]) {
    this.#hosts = new Set(urls.map((url) => new URL(url).host));
    this.#listed = new Set(listTexts(namespaces));
    this.#routes = toJsonObject(routes);
  }

  /** A page can escape slashes, as JSON in a script does. */
  add(text: string): void {
    const paths = text.matchAll(
      /(?:\/wp-json|rest_route=)\\?\/(?!wp-json\b)([a-z][\w-]{1,40})(?:\\?\/(v\d[\w.]{0,10}))?(?![\w-])/g,
    );
    let addresses = 0;
    for (const { 1: vendor = '', 2: version, index } of paths) {
      addresses += 1;
      if (addresses > MAX_ADDRESSES) return;
      const namespace = version === undefined ? vendor : `${vendor}/${version}`;
      if (this.#listed.size === 0 || this.#found.size >= MAX_MENTIONS) return;
      const isRoute = Object.hasOwn(this.#routes, `/${namespace}`);
      const isListed = isRoute || findNamespace(`/${namespace}`, this.#listed) !== '';
      if (!isListed && !this.#isBegun(namespace) && this.#isOwn(text, index)) this.#found.add(namespace);
    }
  }

  /** Whether the address has no host, or the site's. */
  #isOwn(text: string, pathStart: number): boolean {
    const before = text.slice(Math.max(0, pathStart - MAX_LOOK_BEHIND), pathStart).replaceAll('\\', '');
    const [, ...rest] = (before.split(/[\s"'<>()]/).at(-1) ?? '').split('//');
    const host = rest.at(-1)?.split(/[/?#]/)[0];
    return host === undefined || this.#hosts.has(host.toLowerCase());
  }

  /** `wp` of `/wp-json/wp/${version}/posts` in a script. */
  #isBegun(vendor: string): boolean {
    return [...this.#listed].some((namespace) => namespace.startsWith(`${vendor}/`));
  }

  report(report: RuleReporter): void {
    if (this.#found.size === 0) return;
    report('namespace-hidden', { pointer: '/namespaces' }, `${[...this.#found].sort().join(', ')}.`);
  }
}

const CURRENT_USER_ROUTE = '/wp/v2/users/me';

/** WordPress 6.1 sends the public index with 200 for a wrong password, and 401 only for this route. */
async function reportUnusedCredentials(
  address: SiteAddress,
  { routes }: RootIndex,
  client: DiscoveryClient,
  report: RuleReporter,
): Promise<boolean> {
  if (!routes.some(({ pattern }) => pattern === CURRENT_USER_ROUTE)) return false;
  const outcome = await client.request(new URL(routeUrl(address, CURRENT_USER_ROUTE)));
  if (outcome.kind === 'failure' || outcome.response.status !== 401) return false;
  report('credentials-unused', { pointer: '' }, `${outcome.response.url.href} returned 401.`);
  return true;
}

function reportIndexResponse(found: FoundIndex, report: RuleReporter): void {
  const { closed, status, root, helpContextFailure } = found;
  if (closed !== undefined)
    report('namespaces-only', { pointer: '' }, `${closed.url} ${closed.description}.`);
  if (status >= 300) report('status-of-index', { pointer: '' }, `${root.href} returned ${status}.`);
  if (helpContextFailure !== undefined) reportHelpFailure(helpContextFailure, report);
}

function reportHelpFailure({ description, url }: FetchFailure, report: RuleReporter): void {
  report('help-refused', { pointer: '' }, `${url} ${description}.`);
}

function reportMissingSchemas({ routes }: RootIndex, report: RuleReporter): void {
  if (routes.length > 0 && routes.every(({ schema }) => schema === undefined))
    report('no-schemas', { pointer: '/routes' });
}

/**
 * @param url any URL of the site. @default the addresses that the index states
 * @throws {ConfigurationError} when the value is not a root index, or there is no address
 */
export function readRecordedSite(
  raw: unknown,
  { url, ...options }: RouteSelection & { readonly url?: string | undefined } = {},
): DiscoveredSite {
  const isNamed = ['name', 'namespaces', 'namespace'].some((name) => Object.hasOwn(toJsonObject(raw), name));
  const defect =
    describeIndexDefect(raw) ?? (isNamed ? undefined : 'It has neither "name" nor "namespaces".');
  if (defect !== undefined || !isJsonObject(raw)) {
    throw new ConfigurationError(`This is neither a root index nor an OpenAPI document. ${defect ?? ''}`);
  }
  const root = url === undefined ? declaredRoot(raw) : rootOf(parseSiteUrl(url).url);
  if (root === undefined || !isHttpUrl(root)) {
    throw new ConfigurationError(
      'The root index states no address of its site. Give the URL of the site, too.',
    );
  }
  const { diagnostics, index } = readIndex(raw, options);
  const missing = collectDiagnostics();
  reportMissingSchemas(index, missing.report);
  return { address: toSiteAddress(root, raw), index, diagnostics: [...diagnostics, ...missing.diagnostics] };
}

function declaredRoot(index: JsonObject): URL | undefined {
  const home = ownMember(index, 'home');
  const front = typeof home === 'string' && URL.canParse(home) ? new URL(home) : undefined;
  return readSelfLink(index) ?? (front === undefined ? undefined : rootOf(front));
}

function rootOf(url: URL): URL {
  return rootFromUrl(url) ?? new URL('wp-json/', `${url.origin}${url.pathname.replace(/\/*$/, '/')}`);
}

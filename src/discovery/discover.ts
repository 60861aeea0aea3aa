import type { Diagnostic } from '../diagnostics.ts';
import { DiscoveryError } from '../errors.ts';
import { systemClock } from '../ports.ts';
import { runInSlices } from '../steps.ts';
import { parseSiteUrl, routeUrl, toSiteAddress } from './address.ts';
import { createDiscoveryClient, createDiscoveryHeaders, type DiscoveryClient } from './client.ts';
import { fetchSchemas } from './fetch-schemas.ts';
import type { FoundIndex } from './find-index.ts';
import { findIndex } from './find-index.ts';
import { type DiscoverOptions, resolveDiscoverOptions } from './options.ts';
import { readIndexObject } from './read-index.ts';
import { createRedactor, redactError } from './redact.ts';
import { DiagnosticCollector, type RuleReporter } from './rules.ts';
import type { DiscoveredSite, RootIndex, SiteAddress } from './site.ts';

/**
 * Finds and reads the root index of a site. Defects of the index are repaired and listed in `diagnostics`.
 *
 * @param input URL of the site's front page, of its root index in any spelling, or of any page of the site
 * @returns the site's address, its root index and the diagnostics
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
  const settings = resolveDiscoverOptions(options);
  const site = parseSiteUrl(input);
  const collector = new DiagnosticCollector();
  const { report } = collector;
  if (site.auth !== undefined) report('credentials-in-url', { pointer: '' });
  const auth = options.auth ?? site.auth;
  const headers = createDiscoveryHeaders(auth, options.headers ?? {});
  const redact = createRedactor(auth, headers.secretHeaders);
  const listDiagnostics = (): readonly Diagnostic[] =>
    collector.list().map((diagnostic) => ({ ...diagnostic, message: redact(diagnostic.message) }));
  const client = createDiscoveryClient(site.url, headers, settings, report);
  try {
    const found = await findIndex(site.url, {
      client,
      report,
      withSchemas: settings.schemas !== 'off',
      hasCredentials: headers.secretHeaders.length > 0,
    });
    reportIndexResponse(found, report);
    const address = toSiteAddress(found.root, found.json);
    const index = await runInSlices(
      readIndexObject(found.json, settings, report),
      systemClock,
      settings.signal,
    );
    if (auth !== undefined) await reportUnusedCredentials(address, index, client, report);
    if (settings.schemas === 'help') reportMissingSchemas(index, found, report);
    const routes =
      settings.schemas === 'options'
        ? await fetchSchemas(index.routes, address, client, settings, report)
        : index.routes;
    const diagnostics = listDiagnostics();
    const isReadAsUser =
      headers.secretHeaders.some(([name]) => USER_FIELDS.has(name)) &&
      !diagnostics.some(({ rule }) => UNUSED_RULES.has(rule));
    return { address, index: { ...index, routes }, ...(isReadAsUser ? { isReadAsUser } : {}), diagnostics };
  } catch (error) {
    throw error instanceof DiscoveryError ? redactError(error, redact) : error;
  } finally {
    client.close();
  }
}

/** Request fields that name a user. */
const USER_FIELDS: ReadonlySet<string> = new Set(['authorization', 'cookie']);
/** Diagnostics of credentials that had no effect. */
const UNUSED_RULES: ReadonlySet<string> = new Set(['credentials-unused', 'credentials-withheld']);

const CURRENT_USER_ROUTE = '/wp/v2/users/me';

/**
 * Reports credentials that the site ignores. WordPress 6.1 treats a wrong application password like no credentials and
 * returns the public index with 200; only the route of the current user returns 401 then.
 */
async function reportUnusedCredentials(
  address: SiteAddress,
  { routes }: RootIndex,
  client: DiscoveryClient,
  report: RuleReporter,
): Promise<void> {
  if (!routes.some(({ pattern }) => pattern === CURRENT_USER_ROUTE)) return;
  const outcome = await client.request(new URL(routeUrl(address, CURRENT_USER_ROUTE)));
  if (outcome.kind === 'failure' || outcome.response.status !== 401) return;
  report('credentials-unused', { pointer: '' }, `${outcome.response.url.href} returned 401.`);
}

function reportIndexResponse(found: FoundIndex, report: RuleReporter): void {
  const { status, root, repairs, helpContextFailure } = found;
  if (status >= 300) report('status-of-index', { pointer: '' }, `${root.href} returned ${status}.`);
  for (const { rule, detail } of repairs) report(rule, { pointer: '' }, detail);
  if (helpContextFailure === undefined) return;
  report('help-refused', { pointer: '' }, `${helpContextFailure.url} ${helpContextFailure.description}.`);
}

/** Reports an index without response schemas, unless `help-refused` has stated the cause. */
function reportMissingSchemas(
  { routes }: RootIndex,
  { helpContextFailure }: FoundIndex,
  report: RuleReporter,
): void {
  if (helpContextFailure !== undefined || routes.length === 0) return;
  if (routes.every(({ schema }) => schema === undefined)) report('no-schemas', { pointer: '/routes' });
}

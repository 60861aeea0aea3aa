import type { Diagnostic } from '../diagnostics.ts';
import { DiscoveryError } from '../errors.ts';
import { readAddress, routeUrl, toSiteAddress } from './address.ts';
import type { FoundIndex } from './ask.ts';
import { type Client, createClient } from './client.ts';
import { toCredentials } from './credentials.ts';
import { collectFindings, type Note } from './findings.ts';
import { type DiscoverOptions, resolveOptions } from './options.ts';
import { readIndexObject } from './read-index.ts';
import { createRedact, redactError } from './redact.ts';
import { askSchemas } from './schemas.ts';
import { findIndex } from './search.ts';
import type { DiscoveredSite, RootIndex, SiteAddress } from './site.ts';

/**
 * Finds and reads the root index of the site that an address belongs to: its front page, its root index in any
 * spelling, or a page below. What is odd is tolerated and said in `diagnostics`.
 *
 * Throws a `DiscoveryError` where no index could be read, a `ConfigurationError` where an option cannot be meant so,
 * and the reason of `options.signal` where that ends it.
 *
 * @example
 * const { address, index, diagnostics } = await discover('https://example.com/blog/', { include: ['wp/v2'] });
 */
export async function discover(input: string, options: DiscoverOptions = {}): Promise<DiscoveredSite> {
  const settings = resolveOptions(options);
  const given = readAddress(input);
  const findings = collectFindings();
  const { note } = findings;
  if (given.auth !== undefined) note('credentials-in-url', { pointer: '' });
  const auth = options.auth ?? given.auth;
  const credentials = toCredentials(auth, options.headers ?? {});
  const redact = createRedact(auth, credentials);
  const list = (): readonly Diagnostic[] =>
    findings.list().map((finding) => ({ ...finding, message: redact(finding.message) }));
  const client = createClient(given.url, credentials, settings, note);
  try {
    const found = await findIndex(given.url, {
      client,
      note,
      withSchemas: settings.schemas !== 'off',
      hasCredentials: credentials.atHome.length > 0,
    });
    noteAnswer(found, note);
    const address = toSiteAddress(found.root, found.value);
    const index = readIndexObject(found.value, settings, note);
    if (auth !== undefined) await noteUnusedCredentials(address, index, client, note);
    if (settings.schemas === 'help') noteMissingSchemas(index, found, note);
    if (settings.schemas !== 'options') return { address, index, diagnostics: list() };
    const routes = await askSchemas(index.routes, address, client, settings, note);
    return { address, index: { ...index, routes }, diagnostics: list() };
  } catch (error) {
    throw error instanceof DiscoveryError ? redactError(error, redact) : error;
  } finally {
    client.stop();
  }
}

const OWN_USER = '/wp/v2/users/me';

/**
 * WordPress 6.1 was seen to answer wrong application passwords like no credentials at all: with 200 and the index
 * that anybody gets. Only the route of one's own user tells the difference.
 */
async function noteUnusedCredentials(
  address: SiteAddress,
  { routes }: RootIndex,
  client: Client,
  note: Note,
): Promise<void> {
  if (!routes.some(({ pattern }) => pattern === OWN_USER)) return;
  const outcome = await client.ask(new URL(routeUrl(address, OWN_USER)));
  if (outcome.kind === 'refusal' || outcome.answer.status !== 401) return;
  note('credentials-unused', { pointer: '', detail: `${outcome.answer.url.href} answered 401.` });
}

function noteAnswer({ status, root, tolerated, helpRefusal }: FoundIndex, note: Note): void {
  if (status >= 300) note('status-of-index', { pointer: '', detail: `${root.href} answered ${status}.` });
  for (const { rule, detail } of tolerated) note(rule, { pointer: '', detail });
  if (helpRefusal === undefined) return;
  note('help-refused', { pointer: '', detail: `${helpRefusal.url} ${helpRefusal.came}.` });
}

/** One diagnostic for one cause: an index that was refused with its schemas has said so already. */
function noteMissingSchemas({ routes }: RootIndex, { helpRefusal }: FoundIndex, note: Note): void {
  if (helpRefusal !== undefined || routes.length === 0) return;
  if (routes.every(({ schema }) => schema === undefined)) note('no-schemas', { pointer: '/routes' });
}

import { describeMount } from '../admin/site-operations.ts';
import type { LookupExplanation } from '../cache/cache-request.ts';
import { calculateCurrentAge, calculateTimeToLive } from '../cache/policy/freshness.ts';
import type { StoredResponse } from '../cache/store.ts';
import { formatCacheStatus } from '../http/cache-status.ts';
import type { CacheEntryPolicy } from '../site/caching/cache-entry.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { ResolvedRequest } from '../site/snapshot/snapshot.ts';
import { REQUEST_ID } from '../site/traffic/traffic-counters.ts';
import { explainCacheDetail, explainCacheStatus } from '../ui/cache-words.ts';
import { formatBytes, formatSeconds, formatUtc } from '../ui/format.ts';
import { describeHistory, describeRequest, type Fact, NOT_REMEMBERED } from './history.ts';
import { inspect, listTags, readTypedAddress } from './inspection.ts';
import type { ConsoleContext, ConsoleRequest, RequestInspection } from './page.ts';
import { describeBrokenRule } from './problems.tsx';

export interface Explanation {
  readonly facts: readonly Fact[];
  readonly isStored: boolean;
}

/**
 * Explains an address, or the request with an id.
 *
 * @param client how the console is reached: the address of the gateway, unless the text names one
 * @returns a sentence if it cannot
 */
export async function explain(
  context: ConsoleContext,
  ofPage: MountedSite,
  text: string,
  client: ConsoleRequest['client'],
): Promise<Explanation | string> {
  if (REQUEST_ID.test(text)) {
    const facts = await describeRequest(context, text);
    return facts === null ? NOT_REMEMBERED : { facts, isStored: false };
  }
  const read = readTypedAddress(text, client, context, ofPage);
  if (typeof read === 'string') return read;
  const { site, target } = read;
  const inspection = await inspect(context, read);
  if (inspection === null) return 'The site has not been read yet.';
  const { resolved } = inspection;
  const [verdict, ...details] = describeCaching(context, site, inspection);
  const facts: readonly Fact[] = [
    ...(verdict === undefined ? [] : [verdict]),
    ...describeHistory(site, inspection, target),
    { name: 'Site', text: `${site.settings.name}, mounted at ${describeMount(site)}` },
    { name: 'Meaning', text: describeMeaning(resolved) },
    ...describeValidity(inspection),
    ...details,
  ];
  return { facts, isStored: (inspection.caching?.lookup?.responses.length ?? 0) > 0 };
}

function describeMeaning(resolved: ResolvedRequest): string {
  if (resolved.kind === 'route') {
    const { match, target } = resolved;
    if (match.kind === 'none') return `The route ${target.route}, which the document does not have.`;
    if (match.kind === 'method-not-allowed')
      return `The route ${target.route}, which allows ${match.methods.join(', ')} only.`;
    const { method, path } = match.operation;
    return `${method} ${path}${match.isCertain ? '' : ' (another route might match at the site)'}`;
  }
  if (resolved.kind === 'page') return `A page of the site: ${resolved.target.path}`;
  const { target } = resolved;
  if (target.kind === 'refused') return `Refused: ${target.message}`;
  return target.kind === 'not-found'
    ? 'Nothing: the gateway responds with 404 itself.'
    : 'The gateway responds itself: documentation, document or types.';
}

function describeValidity({ resolved, validation }: RequestInspection): readonly Fact[] {
  if (resolved.kind !== 'route' || resolved.match.kind !== 'found') return [];
  const name = 'Validity';
  if (validation === null) {
    return [{ name, text: 'Not validated: it is not certain which parameters the site reads.' }];
  }
  const { isRefused, mode, violations } = validation;
  if (violations.length === 0) return [{ name, text: `Valid (mode ${mode}).` }];
  const consequence = isRefused ? 'The gateway refuses it' : 'The gateway forwards it';
  const text = `Invalid. ${consequence} (mode ${mode}).`;
  return [{ name, text, items: violations.map(describeBrokenRule) }];
}

function describeCaching(
  { clock }: ConsoleContext,
  site: MountedSite,
  inspection: RequestInspection,
): readonly Fact[] {
  const { caching: inspected, resolved, snapshot } = inspection;
  const name = 'Store';
  if (resolved.kind === 'own') return [];
  if (site.caching === null) return [{ name, text: 'Nothing of this site is cached.' }];
  if (inspected === null) return [];
  const { lookup, resource } = inspected;
  if (resource.kind === 'bypass') {
    return [{ name, text: `Never stored: ${explainCacheDetail(resource.detail)}.` }];
  }
  const tags = listTags(inspected);
  if (lookup === null || tags === null) return [];
  const now = clock.now();
  const scope = `${site.caching.getStoreScope(snapshot)} `;
  const isGuess = lookup.selected === undefined;
  return [
    { name, text: describeLookup(lookup, now) },
    ...describeStored(lookup, now),
    { name: 'Lifetime', text: describeRule(resource, lookup.selected) },
    {
      name: 'Tags',
      text: isGuess
        ? 'by its address; what its content shows adds more:'
        : 'a purge of any of them purges it:',
      items: tags.map((tag) => tag.slice(scope.length)),
    },
  ];
}

function describeLookup(lookup: LookupExplanation, now: number): string {
  const { forwardDetail, forwardReason, selected } = lookup;
  if (forwardReason === undefined) {
    const rest = selected === undefined ? '' : ` It is ${describeFreshness(selected, now)}.`;
    return `Hit: a request gets the stored response.${rest}`;
  }
  if (selected?.isSoftPurged === true)
    return 'Stale: a purge came after the stored response. A request is forwarded to the site.';
  const detail = forwardDetail === undefined ? {} : { detail: forwardDetail };
  const sentence = explainCacheStatus(formatCacheStatus({ fwd: forwardReason, ...detail }));
  return `${sentence} A request is forwarded to the site.`;
}

function describeStored(explanation: LookupExplanation, now: number): readonly Fact[] {
  const { forwardReason, responses, selected } = explanation;
  const name = 'Stored';
  if (selected === undefined) {
    if (responses.length === 0) return [{ name, text: 'no' }];
    const items = responses.map(
      ({ variantKey }) => variantKey.trim().replaceAll('\n', ', ') || 'without these fields',
    );
    return [{ name, text: 'only for other header fields:', items }];
  }
  const { body, status, vary } = selected;
  const age = formatSeconds(calculateCurrentAge(selected, now));
  const variant = vary.length === 0 ? '' : `, Vary: ${vary.join(', ')}`;
  const size = formatBytes(body.byteLength);
  return [
    { name, text: `yes: status ${status}, ${size} of content, ${age} old${variant}` },
    ...(forwardReason === undefined ? [] : [{ name: 'Freshness', text: describeFreshness(selected, now) }]),
  ];
}

function describeFreshness(stored: StoredResponse, now: number): string {
  if (stored.isSoftPurged) return 'stale because of a purge';
  const ttl = calculateTimeToLive(stored, now);
  const end = now + ttl * 1_000;
  const { staleIfError, staleIfUnreachable, staleWhileRevalidate } = stored;
  const stale = Math.max(staleIfError, staleIfUnreachable, staleWhileRevalidate);
  const fresh = ttl > 0 ? `fresh for another ${formatSeconds(ttl)}, until` : 'stale since';
  const rest =
    stale === 0 ? 'is not served after that' : `can be served stale until ${formatUtc(end + stale * 1_000)}`;
  return `${fresh} ${formatUtc(end)}, and ${rest}`;
}

function describeRule(policy: CacheEntryPolicy, stored: StoredResponse | undefined): string {
  const headers = stored?.headers ?? [
    'Content-Type',
    policy.entry.isRoute ? 'application/json' : 'text/html',
  ];
  const rule = policy.selectRule({ status: 200, reason: '', headers });
  const ttl = rule.getTtl(200);
  const condition = rule.overridesResponse
    ? 'whatever the response says'
    : 'if the response says nothing else';
  const fresh = ttl === undefined ? 'as long as the response says' : `for ${formatSeconds(ttl)} ${condition}`;
  const byDefault = policy.entry.isRoute ? 'the default' : 'the rules of pages and files';
  const origin = policy.entry.rule.statesTimes ? 'a rule of the configuration' : byDefault;
  return `By ${origin}: fresh ${fresh}, then stale for ${formatSeconds(rule.staleWhileRevalidate)} while it is refreshed, and for ${formatSeconds(rule.staleIfError)} if the site fails.`;
}

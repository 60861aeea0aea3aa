import { explainCacheStatus, explainReasons, toCacheOutcome } from '../../base/http/cache-status.ts';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { ownMember } from '../../base/json.ts';
import type { Clock } from '../../base/ports.ts';
import { formatBytes, formatDuration, formatSeconds, formatUtc, toPlainText } from '../../base/text.ts';
import type { LookupExplanation } from '../cache/engine/fetch-plan.ts';
import { calculateCurrentAge, calculateTimeToLive } from '../cache/policy/reuse.ts';
import { readStoredTag, type StoredResponse } from '../cache/store.ts';
import { GatewayRequest } from '../gateway-request.ts';
import { REQUEST_ID } from '../request-context.ts';
import type { CacheEntryPolicy } from '../site/caching/cache-entry.ts';
import { SiteCacheRequest } from '../site/caching/site-cache-request.ts';
import type { SiteCaching } from '../site/caching/site-caching.ts';
import type { RecentPurge } from '../site/caching/site-purges.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { PageRequest, ResolvedRequest, RouteRequest, Snapshot } from '../site/snapshot/snapshot.ts';
import { TargetMemo } from '../site/target-memos.ts';
import { type RecentRequest, type RecordedProblem, toRecentTarget } from '../site/traffic/site-recorder.ts';
import type { ValidationInspection } from '../site/validating/site-validation.ts';
import { RequestHeaders, type TrustedProxyCheck } from '../upstream/request-headers.ts';
import type { CacheBypass } from '../wordpress/bypass-rules.ts';
import { EVERYTHING, NOT_EXACT } from '../wordpress/cache-names.ts';
import WORDS from './problem-words.json' with { type: 'json' };
import { describeMount, type PurgeTargets, readAddress } from './purge-selection.ts';

export interface ExplainContext extends PurgeTargets {
  readonly clock: Clock;
  readonly trust: TrustedProxyCheck | null;
}

export interface Explanation {
  readonly facts: readonly Fact[];
  readonly isStored: boolean;
}

export async function explain(
  context: ExplainContext,
  ofPage: MountedSite,
  text: string,
): Promise<Explanation | string> {
  if (REQUEST_ID.test(text)) {
    const facts = await describeRequest(context, text);
    return facts === null ? NOT_REMEMBERED : { facts, isStored: false };
  }
  const url = toTypedUrl(text, ofPage);
  if (url === null) return PATH_ALONE;
  const address = readAddress(url, context);
  if (typeof address === 'string') return address;
  const { site, target } = address;
  const inspection = await inspect(site, target, url, context.trust);
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
  { clock }: ExplainContext,
  site: MountedSite,
  inspection: RequestInspection,
): readonly Fact[] {
  const { caching: inspected, resolved } = inspection;
  const name = 'Store';
  if (resolved.kind === 'own') return [];
  if (site.caching === null) return [{ name, text: 'Nothing of this site is cached.' }];
  if (inspected === null) return [];
  const { lookup, resource } = inspected;
  if (resource.kind === 'bypass') {
    return [{ name, text: `Never stored: ${explainReasons([resource.reason])}.` }];
  }
  const tags = listTags(inspected);
  if (lookup === null || tags === null) return [];
  const now = clock.now();
  const isGuess = lookup.selected === undefined;
  const names = tags.map((tag) => readStoredTag(tag).tag);
  const reasons = names.filter((tag) => tag.startsWith(NOT_EXACT));
  return [
    { name, text: describeLookup(lookup, now) },
    ...describeStored(lookup, now),
    { name: 'Lifetime', text: describeRule(resource, lookup.selected) },
    ...reasons.map((tag) => ({ name: 'Not exact', text: tag.slice(NOT_EXACT.length) })),
    {
      name: 'Tags',
      text: isGuess
        ? 'by its address; what its content shows adds more:'
        : 'a purge of any of them purges it:',
      items: names.filter((tag) => !reasons.includes(tag)),
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
  const sentence = explainCacheStatus({ fwd: forwardReason, detail: forwardDetail });
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
  const origin = policy.entry.rule.statesLifetime ? 'a rule of the configuration' : byDefault;
  return `By ${origin}: fresh ${fresh}, then stale for ${formatSeconds(rule.staleWhileRevalidate)} while it is refreshed, and for ${formatSeconds(rule.staleIfError)} if the site fails.`;
}

interface Fact {
  readonly name: string;
  readonly text: string;
  readonly items?: readonly string[];
}

const MAX_SHOWN = 5;

const NOT_REMEMBERED =
  'The gateway does not remember a request with this id. For each site it keeps the last 500 that were not fresh hits, and the last 200 that it refused. Other gateways keep their own.';

function describeHistory(
  { caching, recorder }: MountedSite,
  { caching: inspected }: RequestInspection,
  target: string,
): readonly Fact[] {
  const tags = inspected === null ? null : listTags(inspected);
  const fetched = inspected?.lookup?.selected?.requestTime ?? null;
  const requests = recorder.requests.list().filter((request) => request.target === target);
  const items = requests.slice(0, MAX_SHOWN).map(describe);
  return [
    ...(caching === null || tags === null ? [] : describePurges(caching, tags, { fetched })),
    ...(items.length === 0 ? [] : [{ name: 'Last requests', text: 'those without hits', items }]),
  ];
}

async function describeRequest(context: ExplainContext, id: string): Promise<readonly Fact[] | null> {
  for (const site of context.sites.values()) {
    const request = site.recorder.requests.list().find(({ requestId }) => requestId === id);
    const problem = site.recorder.listProblems().find(({ requestId }) => requestId === id);
    const recorded = request ?? problem;
    if (recorded === undefined) continue;
    const { caching } = site;
    const { snapshot } = site.runtime;
    const own = caching?.writes.recent.list().filter(({ requestId }) => requestId === id) ?? [];
    const { method, status, time } = recorded;
    const text =
      request === undefined
        ? `${formatUtc(time)}, ${method} ${problem?.route}: ${status}`
        : describe(request);
    const items = problem?.rules.map(describeBrokenRule) ?? [];
    return [
      { name: 'Request', text },
      { name: 'Site', text: site.settings.name },
      ...(problem === undefined ? [] : [{ name: 'Error', text: describeProblem(problem), items }]),
      ...(request === undefined ? [] : await describePurgesBefore(context, site, request)),
      ...own.map((purge) => {
        const names = caching === null || snapshot === null ? [] : nameTags(purge);
        const items = names.map((tag) => `selects ${describeTag(tag)}`);
        return { name: 'Write', text: describeAuthor(purge), items };
      }),
    ];
  }
  return null;
}

/** The last purge of an address before a request, by the tags of its stored response. */
async function describePurgesBefore(
  context: ExplainContext,
  site: MountedSite,
  { cacheStatus, hasSecrets, milliseconds, publicBase, target, time }: RecentRequest,
): Promise<readonly Fact[]> {
  const isUnknown = (hasSecrets && target.includes('?')) || !URL.canParse(publicBase);
  if (site.caching === null || isUnknown || cacheStatus.fwd === 'bypass') return [];
  const inspection = await inspect(site, target, publicBase, context.trust);
  const tags = inspection?.caching == null ? null : listTags(inspection.caching);
  if (inspection === null || tags === null) return [];
  return describePurges(site.caching, tags, { until: time - milliseconds });
}

function describePurges(
  caching: SiteCaching,
  tags: readonly string[],
  { fetched = null, until = Number.POSITIVE_INFINITY }: { fetched?: number | null; until?: number },
): readonly Fact[] {
  for (const purge of caching.writes.recent.list()) {
    const { selection } = purge;
    const at = selection.kind === 'tags' ? selection.tags.findIndex((tag) => tags.includes(tag)) : 0;
    if (purge.time > until || at < 0) continue;
    const by = describeTag(nameTags(purge)[at] ?? '');
    const copy = fetched === null || fetched < purge.time ? '' : ' This copy was fetched after it.';
    const request = purge.requestId === '' ? '' : ` (request ${purge.requestId})`;
    const text = `${formatUtc(purge.time)}, by ${describeAuthor(purge)}${request}. It selects ${by}.${copy}`;
    return [{ name: 'Last purge', text }];
  }
  return [
    { name: 'Last purge', text: 'none that is remembered: the gateway keeps the last 1,000 of a site.' },
  ];
}

function nameTags({ selection }: RecentPurge): readonly string[] {
  return selection.kind === 'tags' ? selection.tags.map((tag) => readStoredTag(tag).tag) : [EVERYTHING];
}

export function describeCause({ cause }: Pick<RecentPurge, 'cause'>): string {
  return toRecentTarget({ target: cause, hasSecrets: true });
}

function describeAuthor(purge: RecentPurge): string {
  return purge.client === '' ? describeCause(purge) : `${describeCause(purge)} from ${purge.client}`;
}

function describeTag(tag: string): string {
  if (tag === EVERYTHING) return 'everything of the site';
  return tag.startsWith('A') ? `the address ${tag.slice(1)}` : `the tag ${tag}`;
}

function describe(request: RecentRequest): string {
  const { cacheStatus, method, milliseconds, requestId, status, time } = request;
  const words = toCacheOutcome(cacheStatus) === 'none' ? '' : ` ${explainCacheStatus(cacheStatus)}`;
  return `${formatUtc(time)}, ${method} ${toRecentTarget(request)}: ${status} in ${formatDuration(milliseconds)}, request ${requestId}.${words}`;
}

const PATH_ALONE =
  'Give the whole URL, as clients use it: without publicUrl, a path says nothing of the host under which responses are stored.';

function toTypedUrl(text: string, { settings: { publicUrl } }: MountedSite): string | null {
  if (!text.startsWith('/')) return text;
  return publicUrl === undefined ? null : new URL(publicUrl).origin + text;
}

function listTags({ lookup, resource }: CachingInspection): readonly string[] | null {
  if (lookup === null || resource.kind === 'bypass') return null;
  return lookup.selected?.tags ?? resource.entry.tags;
}

interface RequestInspection {
  readonly resolved: ResolvedRequest;
  /** `null` if the request is not validated, or is for no route. */
  readonly validation: ValidationInspection | null;
  /** `null` if nothing of the site is cached, the request is for no route or page, or its header section is refused. */
  readonly caching: CachingInspection | null;
}

interface CachingInspection {
  readonly resource: CacheEntryPolicy | CacheBypass;
  readonly lookup: LookupExplanation | null;
}

/** `null` before the site was discovered. Nothing is sent, counted or changed. @param url with the host that clients use */
async function inspect(
  site: MountedSite,
  target: string,
  url: string,
  trust: TrustedProxyCheck | null,
): Promise<RequestInspection | null> {
  const { snapshot } = site.runtime;
  if (snapshot === null) return null;
  const { host, protocol } = new URL(url);
  const head: IncomingRequestHead = {
    ...{ method: 'GET', target, headers: ['host', host], peerAddress: '', httpVersion: '1.1' },
    protocol: protocol === 'https:' ? 'https' : 'http',
  };
  const resolved = snapshot.resolveRequest(head);
  if (resolved.kind === 'own') return { resolved, validation: null, caching: null };
  return {
    resolved,
    validation: resolved.kind === 'route' ? site.validation.inspect(snapshot, { resolved, head }) : null,
    caching: await inspectCaching(site, snapshot, resolved, head, trust),
  };
}

async function inspectCaching(
  site: MountedSite,
  snapshot: Snapshot,
  resolved: RouteRequest | PageRequest,
  head: IncomingRequestHead,
  trust: TrustedProxyCheck | null,
): Promise<CachingInspection | null> {
  const fields = new RequestHeaders(head, trust);
  if (site.caching === null || fields.refusal !== null) return null;
  const resource = site.caching.findResource(snapshot, resolved, head);
  if (resource.kind === 'bypass') return { resource, lookup: null };
  const memo = new TargetMemo(snapshot, resolved, head.method);
  const request = new GatewayRequest(
    { requestId: '', client: fields.client.address, head, fields },
    site,
    snapshot,
    memo,
    resolved,
  );
  request.resource = resource;
  const cacheRequest = new SiteCacheRequest(
    resource,
    request.forwarded.storeHead,
    request.publicBase,
    request,
  );
  const { cache } = site.caching;
  return { resource, lookup: cache.explain(cacheRequest, await cache.store.get(cacheRequest.key)) };
}

const MAX_DETAIL = 400;

export function describeProblem({
  cause,
  code,
  detail,
  source,
  status,
}: Pick<RecordedProblem, 'cause' | 'code' | 'detail' | 'source' | 'status'>): string {
  if (source === 'gateway' || source === 'early') return `refused by the gateway: ${explainCode(code)}`;
  if (source === 'site')
    return `${status >= 500 ? 'the site failed' : 'refused by the site'}: ${toPlainText(detail, MAX_DETAIL) || status}`;
  const words = `the site failed: ${ownMember(WORDS.failures, cause) ?? cause}`;
  return detail === '' ? words : `${words} (${toPlainText(detail, MAX_DETAIL)})`;
}

export function describeBrokenRule({ param, rule }: RecordedProblem['rules'][number]): string {
  return `${toPlainText(param, 80) || 'the request'}: ${toPlainText(explainCode(rule), 120)}`;
}

function explainCode(code: string): string {
  return String(ownMember(WORDS.codes, code) ?? code);
}

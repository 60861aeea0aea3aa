import type { SiteCaching } from '../site/caching/site-caching.ts';
import type { RecentPurge } from '../site/caching/site-writes.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { Snapshot } from '../site/snapshot/snapshot.ts';
import { type RecentRequest, toRecentTarget } from '../site/traffic/traffic-counters.ts';
import { explainCacheStatus } from '../ui/cache-words.ts';
import { formatDuration, formatUtc } from '../ui/format.ts';
import { EVERYTHING } from '../wordpress/tags.ts';
import { findOwnHost, inspect, listTags } from './inspection.ts';
import type { ConsoleContext, RequestInspection } from './page.ts';
import { describeBrokenRule, describeProblem } from './problems.tsx';

export interface Fact {
  readonly name: string;
  readonly text: string;
  readonly items?: readonly string[];
}

const MAX_SHOWN = 5;

export const NOT_REMEMBERED =
  'The gateway does not remember a request with this id. For each site it keeps the last 500 that were not fresh hits, and the last 200 that it refused. Other gateways keep their own.';

export function describeHistory(
  { caching, recorder }: MountedSite,
  { caching: inspected, snapshot }: RequestInspection,
  target: string,
): readonly Fact[] {
  const tags = inspected === null ? null : listTags(inspected);
  const fetched = inspected?.lookup?.selected?.requestTime ?? null;
  const requests = recorder.requests.list().filter((request) => request.target === target);
  const items = requests.slice(0, MAX_SHOWN).map(describe);
  return [
    ...(caching === null || tags === null ? [] : describePurges(caching, snapshot, tags, { fetched })),
    ...(items.length === 0 ? [] : [{ name: 'Last requests', text: 'those without hits', items }]),
  ];
}

export async function describeRequest(context: ConsoleContext, id: string): Promise<readonly Fact[] | null> {
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
        const names = caching === null || snapshot === null ? [] : nameTags(caching, snapshot, purge);
        const items = names.map((tag) => `selects ${describeTag(tag)}`);
        return { name: 'Write', text: describeAuthor(purge), items };
      }),
    ];
  }
  return null;
}

/** Purges of the address before a request for it, as far as the stored response tells. */
async function describePurgesBefore(
  context: ConsoleContext,
  site: MountedSite,
  { cacheStatus, hasSecrets, milliseconds, target, time }: RecentRequest,
): Promise<readonly Fact[]> {
  if (site.caching === null || (hasSecrets && target.includes('?')) || cacheStatus.includes('fwd=bypass'))
    return [];
  const host = findOwnHost(site) ?? '';
  const inspection = await inspect(context, { site, target, host, protocol: 'http', isHostKnown: false });
  const tags = inspection?.caching == null ? null : listTags(inspection.caching);
  if (inspection === null || tags === null) return [];
  return describePurges(site.caching, inspection.snapshot, tags, { until: time - milliseconds });
}

function describePurges(
  caching: SiteCaching,
  snapshot: Snapshot,
  tags: readonly string[],
  { fetched = null, until = Number.POSITIVE_INFINITY }: { fetched?: number | null; until?: number },
): readonly Fact[] {
  for (const purge of caching.writes.recent.list()) {
    const { selection } = purge;
    const at = selection.kind === 'tags' ? selection.tags.findIndex((tag) => tags.includes(tag)) : 0;
    if (purge.time > until || at < 0) continue;
    const by = describeTag(nameTags(caching, snapshot, purge)[at] ?? '');
    const copy = fetched === null || fetched < purge.time ? '' : ' This copy was fetched after it.';
    const request = purge.requestId === '' ? '' : ` (request ${purge.requestId})`;
    const text = `${formatUtc(purge.time)}, by ${describeAuthor(purge)}${request}. It selects ${by}.${copy}`;
    return [{ name: 'Last purge', text }];
  }
  return [
    { name: 'Last purge', text: 'none that is remembered: the gateway keeps the last 1,000 of a site.' },
  ];
}

function nameTags(caching: SiteCaching, snapshot: Snapshot, { selection }: RecentPurge): readonly string[] {
  if (selection.kind !== 'tags') return [EVERYTHING];
  const scope = `${caching.getStoreScope(snapshot)} `;
  return selection.tags.map((tag) => (tag.startsWith(scope) ? tag.slice(scope.length) : tag));
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
  const words = cacheStatus === '' ? '' : ` ${explainCacheStatus(cacheStatus)}`;
  return `${formatUtc(time)}, ${method} ${toRecentTarget(request)}: ${status} in ${formatDuration(milliseconds)}, request ${requestId}.${words}`;
}

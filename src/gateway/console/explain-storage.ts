import type { LookupExplanation } from '../../cache/cache-request.ts';
import { calculateCurrentAge, calculateTimeToLive } from '../../cache/policy/freshness.ts';
import type { StoredResponse } from '../../cache/store.ts';
import type { ExplainedFact } from '../../console/cache/explanation.tsx';
import { formatBytes, formatSeconds } from '../../console/cache/inventory-tables.tsx';
import { explainCacheDetail } from '../../docs/try/cache-details.ts';
import { explainCacheStatus } from '../../docs/try/cache-status.ts';
import { formatCacheStatus } from '../../http/cache-status.ts';
import type { CacheableResource } from '../caching/resource-resolver.ts';
import type { WriteEffect } from '../caching/site-caching.ts';

import type { CachingInspection } from '../inspect-read.ts';

/** Maximum items of a fact. */
export const MAX_ITEMS = 30;

export function describeLookup(lookup: LookupExplanation, now: number): string {
  const { forwardDetail, forwardReason, selected } = lookup;
  if (forwardReason === undefined) {
    const rest = selected === undefined ? '' : ` It is ${describeFreshness(selected, now)}.`;
    return `Hit: a request gets the stored response.${rest}`;
  }
  const status =
    forwardDetail === undefined ? { fwd: forwardReason } : { fwd: forwardReason, detail: forwardDetail };
  const words = forwardDetail === undefined ? '' : ` ${explainCacheDetail(forwardDetail)}.`;
  return `${explainNow(explainCacheStatus(formatCacheStatus(status)))}${words} A request is forwarded to the site.`;
}

/** The sentences are about a response; nothing was sent here. */
function explainNow(sentence: string): string {
  return sentence.replace(/^The gateway had/, 'The gateway has').replace(/\bwas\b/, 'is');
}

export function describeStored(
  { forwardReason, responses, selected }: LookupExplanation,
  now: number,
): readonly ExplainedFact[] {
  if (selected === undefined) {
    if (responses.length === 0) return [{ name: 'Stored', text: 'no' }];
    const items = responses.map(
      ({ variantKey }) => variantKey.trim().replaceAll('\n', ', ') || 'without these fields',
    );
    return [
      {
        name: 'Stored',
        text: 'only for other header fields:',
        items: items.slice(0, MAX_ITEMS),
        itemCount: items.length,
      },
    ];
  }
  const { body, status } = selected;
  const age = formatSeconds(calculateCurrentAge(selected, now));
  return [
    {
      name: 'Stored',
      text: `yes: status ${status}, ${formatBytes(body.byteLength)} of content, ${age} old${describeVariant(selected)}`,
    },
    ...(forwardReason === undefined ? [] : [{ name: 'Freshness', text: describeFreshness(selected, now) }]),
    describeStaleness(selected, now),
  ];
}

function describeVariant({ vary }: StoredResponse): string {
  return vary.length === 0 ? '' : `, Vary: ${vary.join(', ')}`;
}

function describeFreshness(stored: StoredResponse, now: number): string {
  const ttl = calculateTimeToLive(stored, now);
  if (stored.markedStale) return 'stale: a purge has made it so';
  return ttl > 0
    ? `fresh for another ${formatSeconds(ttl)}, until ${formatTime(now + ttl * 1_000)}`
    : `stale since ${formatTime(now + ttl * 1_000)}`;
}

function describeStaleness(stored: StoredResponse, now: number): ExplainedFact {
  const end = now + calculateTimeToLive(stored, now) * 1_000;
  const { staleIfError, staleIfUnreachable, staleWhileRevalidate } = stored;
  const windows = [
    ['while it is refreshed', staleWhileRevalidate],
    ['if the site responds with an error', staleIfError],
    ['if the site cannot be reached', Math.max(staleIfError, staleIfUnreachable)],
  ] as const;
  const parts = windows
    .filter(([, seconds]) => seconds > 0)
    .map(([when, seconds]) => `${when} until ${formatTime(end + seconds * 1_000)}`);
  return parts.length === 0
    ? { name: 'Stale', text: 'never served stale' }
    : { name: 'Stale', text: 'may be served after that:', items: parts };
}

export function describeRule({ properties }: CacheableResource): ExplainedFact {
  const { isConfigured, rule } = properties.rule;
  const ttl = rule.getTtl(200);
  const lifetime =
    ttl === undefined
      ? 'as long as the response says'
      : `for ${formatSeconds(ttl)} if the response says nothing else`;
  const origin = isConfigured ? 'a rule of the configuration' : 'the default';
  return {
    name: 'Lifetime',
    text: `By ${origin}: fresh ${rule.overridesResponse ? `for ${formatSeconds(ttl ?? 0)} whatever the response says` : lifetime}, then stale for ${formatSeconds(rule.staleWhileRevalidate)} while it is refreshed, and for ${formatSeconds(rule.staleIfError)} if the site fails.`,
  };
}

export function describeKey(
  { key, publicBase, selected }: NonNullable<CachingInspection['lookup']>,
  { properties }: CacheableResource,
  bases: readonly string[],
): ExplainedFact {
  const { keyRule } = properties.rule;
  const [, , ...resource] = key.split('\n');
  const others = bases.filter((base) => base !== publicBase);
  const fields = [...keyRule.headers, ...(selected?.vary ?? [])];
  return {
    name: 'Key',
    text: 'Requests with the same of all of these get the same response:',
    items: [
      `site: ${properties.storeScope}`,
      `address of the gateway: ${publicBase}`,
      `${properties.isRoute ? 'route and query, as the site reads them' : 'path and query'}: ${resource.join(' ').slice(1)}`,
      ...(fields.length === 0 ? [] : [`header fields: ${fields.join(', ')}`]),
      ...(others.length === 0
        ? []
        : [`also stored for the addresses of the gateway: ${others.slice(0, 5).join(', ')}`]),
    ],
  };
}

export function describeWrites(writes: readonly WriteEffect[]): readonly ExplainedFact[] {
  if (writes.length === 0) return [];
  const format = ({ method, route }: WriteEffect): string => `${method} ${route}`;
  const known = writes.filter(({ isKnown }) => isKnown).map(format);
  const possible = writes.filter(({ isKnown, purges }) => purges && !isKnown).map(format);
  const kept = writes.length - known.length - possible.length;
  return [
    {
      name: 'Purged by',
      text: 'writes that it depends on:',
      items: known.slice(0, MAX_ITEMS),
      itemCount: known.length,
    },
    {
      name: 'Also by',
      text:
        possible.length === 0
          ? `no other write: ${kept} documented writes leave it unchanged`
          : `writes that it may depend on; ${kept} other documented writes leave it unchanged:`,
      items: possible.slice(0, MAX_ITEMS),
      itemCount: possible.length,
    },
  ];
}

function formatTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

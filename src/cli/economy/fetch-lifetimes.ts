import { LRUCache } from 'lru-cache';
import { type CacheRule, evaluateStorability } from '../../cache/policy/storability.ts';
import { findPageToken, isHtml } from '../../cache/wordpress/page-responses.ts';
import { readLimitedBody } from '../../discovery/client.ts';
import { parseLogLine, readLines } from './access-log.ts';
import { ReadClassifier } from './replay.ts';

/** Milliseconds for a response, and bytes of it that are looked at. */
const TIMEOUT = 20_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Finds the targets that a log reads most often, by their addresses. */
export async function findFrequentReads(
  log: string,
  count: number,
  maxAddresses: number,
): Promise<ReadonlyMap<string, string>> {
  const classifier = new ReadClassifier();
  const reads = new LRUCache<string, { times: number; readonly target: string }>({
    maxSize: maxAddresses,
    sizeCalculation: () => 1,
  });
  await readLines(log, (text) => {
    const line = parseLogLine(text);
    const read = line?.method === 'GET' ? classifier.classify(line) : null;
    if (line === null || read === null || read.kind === 'file') return;
    const known = reads.get(read.address) ?? { times: 0, target: line.target };
    known.times += 1;
    reads.set(read.address, known);
  });
  const sorted = [...reads.entries()].sort(([, one], [, other]) => other.times - one.times);
  return new Map(sorted.slice(0, count).map(([address, { target }]) => [address, target]));
}

/**
 * Asks a site for addresses, one after the other, and tells how long their responses are stored, in seconds: `null` if they are not. An
 * address whose response states nothing is left out, and so is one that cannot be read.
 *
 * @param targets by address
 */
export async function fetchLifetimes(
  siteUrl: string,
  targets: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number | null>> {
  const known = new Map<string, number | null>();
  for (const [address, target] of targets) {
    const lifetime = await fetchLifetime(new URL(siteUrl).origin + target).catch(() => undefined);
    if (lifetime !== undefined) known.set(address, lifetime);
  }
  return known;
}

/** A lifetime that no response states. */
const UNSTATED = 0.5;
const RULE: CacheRule = {
  getTtl: () => UNSTATED,
  ...{ staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 },
  ...{ overridesResponse: false, ignoresReload: false },
};

/** @returns `undefined` if the response may be stored and does not say how long */
async function fetchLifetime(url: string): Promise<number | null | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const requestTime = Date.now();
  const response = await fetch(url, { redirect: 'manual', signal });
  const head = { status: response.status, reason: '', headers: [...response.headers].flat() };
  const read = await readLimitedBody(response, { maxBytes: MAX_BYTES, truncate: true }, signal);
  const request = {
    ...({ method: 'GET', forwardedHeaders: [], identifyingFields: [], policy: { rule: RULE } } as const),
    getVariantKey: () => '',
  };
  const storability = evaluateStorability({ request, head, requestTime, responseTime: Date.now() });
  const hasToken = read.kind === 'read' && isHtml(head) && findPageToken(read.body.bytes()) !== undefined;
  if (storability.kind === 'not-storable' || hasToken) return null;
  const { freshnessLifetime } = storability.draft;
  return freshnessLifetime === UNSTATED ? undefined : freshnessLifetime;
}

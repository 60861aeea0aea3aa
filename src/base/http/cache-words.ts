import type { CacheStatus } from './cache-status.ts';
import WORDS from './cache-words.json' with { type: 'json' };

const FORWARD_REASONS: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.forwardReasons));

/** Why the gateway doesn't use its store, by patterns of `detail`. */
const BYPASS_REASONS = Object.entries(WORDS.bypassReasons).map(([detail, sentence]) => ({
  pattern: new RegExp(detail, 'i'),
  sentence,
}));

export function explainCacheStatus({ collapsed, detail, fwd, hit, stored, ttl }: CacheStatus): string {
  if (hit === true) {
    if (ttl === undefined) return 'The gateway sent a stored response.';
    const seconds = Math.trunc(ttl);
    return seconds >= 0
      ? `The gateway sent a stored response, fresh for another ${seconds} seconds.`
      : `The gateway sent a stored response that has been stale for ${-seconds} seconds.`;
  }
  const isBypass = fwd === 'bypass' && detail !== undefined;
  const known = isBypass ? BYPASS_REASONS.find(({ pattern }) => pattern.test(detail))?.sentence : undefined;
  const bypass = known ?? (isBypass ? 'The gateway does not store responses to such a request' : undefined);
  const reason = bypass ?? FORWARD_REASONS.get(fwd ?? '') ?? 'The gateway forwarded the request';
  const ofStore = stored === true ? ' It stored this one.' : '';
  const shared = collapsed === true ? ' It shared the response of another request.' : '';
  const words = detail === undefined || known !== undefined ? detail : explainCacheDetail(detail);
  const note = detail === undefined ? '' : words === detail ? ` (${detail})` : `: ${words}`;
  return `${reason}${note}.${ofStore}${shared}`;
}

const DETAILS: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.details));

const REMEDIES = Object.entries(WORDS.remedies);

/** What an operator can do about a `detail` of `Cache-Status`, with code between backticks; empty if nothing. */
export function findRemedy(detail: string): string {
  return REMEDIES.find(([reason]) => `${detail} `.startsWith(`${reason} `))?.[1] ?? '';
}

/** Why the gateway's response was not stored; empty if it was, or could be. `visit_1080` is `visit_*`: names have ids. */
export function readCacheDetail({ detail = '', hit, stored }: CacheStatus): string {
  const isStored = hit === true || stored === true || /(?:^|, )(?:storable|arrived .*)$/.test(detail);
  if (isStored || detail === 'first request') return '';
  const reason = detail.replace(/^(?:hit-for-pass|first request), /, '');
  return /^(?:set-)?cookie /.test(reason) ? reason.replace(/(?<=[^\d ]{2})\d.*/s, '*') : reason;
}

const PREFIXES = Object.entries(WORDS.detailPrefixes);

export function explainCacheDetail(detail: string): string {
  return detail
    .replace(/^first request, (?=failed )/, '')
    .split(', ')
    .map((each) => {
      const known = DETAILS.get(each);
      if (known !== undefined) return known;
      const found = PREFIXES.find(([prefix]) => each.startsWith(prefix));
      if (found === undefined) return each;
      const [prefix, meaning] = found;
      return meaning.replace('…', () => each.slice(prefix.length));
    })
    .join(', ');
}

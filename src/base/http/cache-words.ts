import WORDS from './cache-words.json' with { type: 'json' };

const FORWARD_REASONS: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.forwardReasons));

/** Why the gateway doesn't use its store, by patterns of `detail`. */
const BYPASS_REASONS = Object.entries(WORDS.bypassReasons).map(([detail, sentence]) => ({
  pattern: new RegExp(detail, 'i'),
  sentence,
}));

/** Explains `Cache-Status` (RFC 9211) in a sentence; empty if absent. */
export function explainCacheStatus(value: string | null): string {
  if (value === null) return '';
  // The last member is of the cache nearest to the client.
  const parameters = (value.split(',').at(-1) ?? '').split(';').map((part) => part.trim());
  const findParameter = (name: string): string | undefined =>
    parameters
      .find((part) => part.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replace(/^"|"$/g, '');
  const ttl = Number(findParameter('ttl') ?? Number.NaN);
  if (parameters.includes('hit')) {
    if (Number.isNaN(ttl)) return 'The gateway sent a stored response.';
    return ttl >= 0
      ? `The gateway sent a stored response, fresh for another ${ttl} seconds.`
      : `The gateway sent a stored response that has been stale for ${-ttl} seconds.`;
  }
  const forward = findParameter('fwd') ?? '';
  const detail = findParameter('detail');
  const isBypass = forward === 'bypass' && detail !== undefined;
  const known = isBypass ? BYPASS_REASONS.find(({ pattern }) => pattern.test(detail))?.sentence : undefined;
  const bypass = known ?? (isBypass ? 'The gateway does not store responses to such a request' : undefined);
  const reason = bypass ?? FORWARD_REASONS.get(forward) ?? 'The gateway forwarded the request';
  const stored = parameters.includes('stored') ? ' It stored this one.' : '';
  const shared = parameters.includes('collapsed') ? ' It shared the response of another request.' : '';
  const words = detail === undefined || known !== undefined ? detail : explainCacheDetail(detail);
  const note = detail === undefined ? '' : words === detail ? ` (${detail})` : `: ${words}`;
  return `${reason}${note}.${stored}${shared}`;
}

const DETAILS: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.details));

const REMEDIES = Object.entries(WORDS.remedies);

/** What an operator can do about a `detail` of `Cache-Status`, with code between backticks; empty if nothing. */
export function findRemedy(detail: string): string {
  return REMEDIES.find(([reason]) => `${detail} `.startsWith(`${reason} `))?.[1] ?? '';
}

/** Why the gateway's response was not stored; empty if it was, or could be. */
export function readCacheDetail(cacheStatus: string): string {
  if (/; (?:hit|stored)\b|"first request"/.test(cacheStatus)) return '';
  return /; detail="?(?:hit-for-pass, )?([^";]+)/.exec(cacheStatus)?.[1] ?? '';
}

const PREFIXES = Object.entries(WORDS.detailPrefixes);

/** Explains a `detail` of `Cache-Status`, if it is known. */
export function explainCacheDetail(detail: string): string {
  return detail
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

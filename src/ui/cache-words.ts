import WORDS from './cache-words.json' with { type: 'json' };

/** Reasons why a cache forwarded a request (RFC 9211 §2.2). */
const FORWARD_REASONS: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.forwardReasons));

/** Why the gateway does not use its store, by patterns of the `detail` of the field. */
const BYPASS_REASONS = Object.entries(WORDS.bypassReasons).map(([detail, sentence]) => ({
  pattern: new RegExp(detail, 'i'),
  sentence,
}));

/** Explains the field `Cache-Status` (RFC 9211) in a sentence; empty if the response has none. */
export function explainCacheStatus(value: string | null): string {
  if (value === null) return '';
  // The last member is that of the cache nearest to the client.
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

/** The texts of `detail` in `Cache-Status` in words. `docs/operators/caching.md` has the same table. */
const DETAILS: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.details));

const PREFIXES = Object.entries(WORDS.detailPrefixes);

/** Explains the `detail` of `Cache-Status` in words; a text that is not in the table is returned as it is. */
export function explainCacheDetail(detail: string): string {
  return detail
    .split(', ')
    .map((each) => {
      const known = DETAILS.get(each);
      if (known !== undefined) return known;
      const found = PREFIXES.find(([prefix]) => each.startsWith(prefix));
      return found === undefined ? each : `${each.slice(found[0].length)} ${found[1]}`;
    })
    .join(', ');
}

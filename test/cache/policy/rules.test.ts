import { describe, expect, test } from 'vitest';
import type { CacheRule } from '../../../src/cache/cache.ts';
import { evaluateStorability, type StoredResponseDraft } from '../../../src/cache/policy/index.ts';

const NOW = Date.UTC(2031, 10, 1);

interface Rule extends Partial<Omit<CacheRule, 'ttl'>> {
  readonly ttl?: number | Readonly<Record<number, number>>;
}

function ruleOf({ ttl, ...rule }: Rule): CacheRule {
  return {
    ttl: (status) => (typeof ttl === 'object' ? ttl[status] : ttl),
    staleWhileRevalidate: 0,
    staleIfError: 0,
    override: false,
    ...rule,
  };
}

function draft(rule: Rule, headers: readonly string[], status = 200): StoredResponseDraft | string {
  const outcome = evaluateStorability({
    method: 'GET',
    requestHeaders: [],
    authorized: false,
    rule: ruleOf(rule),
    head: { status, reason: '', headers },
    requestTime: NOW,
    responseTime: NOW,
  });
  return outcome.kind === 'storable' ? outcome.draft : outcome.reason;
}

const CONTROL = (directives: string) => ['Cache-Control', directives];
const CAREFUL: Rule = { ttl: { 200: 30, 404: 5 }, staleWhileRevalidate: 600, staleIfError: 86_400 };

describe('a rule', () => {
  test.each([
    ['gives a lifetime where the site is silent', CAREFUL, [], 200, [30, 600, 86_400]],
    ['gives one to each status', CAREFUL, [], 404, [5, 600, 86_400]],
    ['gives none to others', CAREFUL, [], 403, 'not-cacheable'],
    [
      'goes before a guess',
      CAREFUL,
      ['Last-Modified', 'Fri, 01 Jan 2021 00:00:00 GMT'],
      200,
      [30, 600, 86_400],
    ],
    ['steps back behind max-age', CAREFUL, CONTROL('max-age=7'), 200, [7, 600, 86_400]],
    ['steps back behind max-age=0', CAREFUL, CONTROL('max-age=0'), 200, [0, 600, 86_400]],
    ['steps back behind s-maxage, and keeps nothing stale', CAREFUL, CONTROL('s-maxage=7'), 200, [7, 0, 0]],
    ['steps back behind must-revalidate', CAREFUL, CONTROL('max-age=7, must-revalidate'), 200, [7, 0, 0]],
    ['steps back behind no-cache', CAREFUL, ['Cache-Control', 'no-cache', 'ETag', '"a"'], 200, [0, 0, 0]],
    ['keeps no-cache without validator not at all', CAREFUL, CONTROL('no-cache'), 200, 'useless'],
    [
      'steps back behind windows',
      CAREFUL,
      CONTROL('stale-while-revalidate=1, stale-if-error=2'),
      200,
      [30, 1, 2],
    ],
    ['keeps no error to be shown later', { ...CAREFUL, ttl: 10 }, [], 503, [10, 0, 0]],
    ['keeps no error for nothing', { ...CAREFUL, ttl: { 200: 30, 503: 0 } }, [], 503, 'not-cacheable'],
    ['of zero seconds keeps what may be stale', { ...CAREFUL, ttl: 0 }, [], 200, [0, 600, 86_400]],
    ['of zero seconds and no window keeps nothing', { ttl: 0 }, [], 200, 'useless'],
    ['is bounded like any lifetime', { ttl: 1e12 }, [], 200, [2 ** 31, 0, 0]],
  ] as const)('%s', (_name, rule, headers, status, expected) => {
    expect(shown(draft(rule, headers, status))).toEqual(expected);
  });
});

describe('a rule that overrides', () => {
  const OVERRIDE: Rule = { ...CAREFUL, override: true };

  test.each([
    ['wins over a longer max-age', OVERRIDE, CONTROL('max-age=3600'), 200, [30, 600, 86_400]],
    ['wins over max-age=0', OVERRIDE, CONTROL('max-age=0, must-revalidate'), 200, [30, 600, 86_400]],
    [
      'wins over no-cache, which does not forbid to store',
      OVERRIDE,
      CONTROL('no-cache'),
      200,
      [30, 600, 86_400],
    ],
    ['wins over Expires', OVERRIDE, ['Expires', '0'], 200, [30, 600, 86_400]],
    ['wins over windows', OVERRIDE, CONTROL('stale-if-error=5'), 200, [30, 600, 86_400]],
    ['wins over a targeted field', OVERRIDE, ['CDN-Cache-Control', 'max-age=7'], 200, [30, 600, 86_400]],
    ['leaves what it says nothing of', OVERRIDE, CONTROL('max-age=7'), 403, [7, 600, 86_400]],
    ['does not win over no-store', OVERRIDE, CONTROL('no-store'), 200, 'no-store'],
    ['does not win over private', OVERRIDE, CONTROL('private'), 200, 'private'],
    ['does not win over a cookie', OVERRIDE, ['Set-Cookie', 'a=b'], 200, 'cookie'],
    ['does not win over a nonce', OVERRIDE, ['x-wp-nonce', 'a'], 200, 'nonce'],
    ['does not win over Vary: *', OVERRIDE, ['Vary', '*'], 200, 'vary'],
    ['does not make a part whole', OVERRIDE, [], 206, 'partial'],
  ] as const)('%s', (_name, rule, headers, status, expected) => {
    expect(shown(draft(rule, headers, status))).toEqual(expected);
  });
});

function shown(outcome: StoredResponseDraft | string): readonly number[] | string {
  if (typeof outcome === 'string') return outcome;
  return [outcome.lifetime, outcome.staleWhileRevalidate, outcome.staleIfError];
}

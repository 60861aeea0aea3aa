import { describe, expect, test } from 'vitest';
import { writeReason } from '../../../../src/base/http/cache-status.ts';
import type { CacheRule } from '../../../../src/gateway/cache/policy/freshness.ts';
import { evaluateStorability } from '../../../../src/gateway/cache/policy/storability.ts';
import type { StoredResponseDraft } from '../../../../src/gateway/cache/store.ts';

const NOW = Date.UTC(2031, 10, 1);

interface Rule extends Partial<Omit<CacheRule, 'ttl'>> {
  readonly ttl?: number | Readonly<Record<number, number>>;
}

function ruleOf({ ttl, ...rule }: Rule): CacheRule {
  return {
    getTtl: (status) => (typeof ttl === 'object' ? ttl[status] : ttl),
    staleWhileRevalidate: 0,
    staleIfError: 0,
    staleIfUnreachable: 0,
    overridesResponse: false,
    replacesZeroMaxAge: true,
    ...rule,
  };
}

function draft(rule: Rule, headers: readonly string[], status = 200): StoredResponseDraft | string {
  const outcome = evaluateStorability({
    request: {
      method: 'GET',
      forwardedHeaders: [],
      getVariantKey: () => '',
      identifyingFields: [],
      policy: { rule: ruleOf(rule), findObjection: () => undefined },
    },
    head: { status, reason: '', headers },
    requestTime: NOW,
    responseTime: NOW,
  });
  return outcome.kind === 'storable' ? outcome.draft : writeReason(outcome.refusal.reason);
}

const CONTROL = (directives: string) => ['Cache-Control', directives];
const CAREFUL: Rule = { ttl: { 200: 30, 404: 5 }, staleWhileRevalidate: 600, staleIfError: 86_400 };

describe('a rule', () => {
  test.each([
    ['sets a lifetime for each status', CAREFUL, [], 404, [5, 600, 86_400]],
    ['sets none for other statuses', CAREFUL, [], 403, 'status 403'],
    ['yields to s-maxage, without stale windows', CAREFUL, CONTROL('s-maxage=7'), 200, [7, 0, 0]],
    ['yields to no-cache', CAREFUL, ['Cache-Control', 'no-cache', 'ETag', '"a"'], 200, [0, 0, 0]],
    ['gives an error no stale windows', { ...CAREFUL, ttl: 10 }, [], 503, [10, 0, 0]],
    ['of zero seconds gives stale windows', { ...CAREFUL, ttl: 0 }, [], 200, [0, 600, 86_400]],
    ['of zero seconds without windows stores nothing', { ttl: 0 }, [], 200, 'no-freshness'],
    [
      'yields to 2^31 in place of more',
      CAREFUL,
      CONTROL(`max-age=${'9'.repeat(400)}`),
      200,
      [2 ** 31, 600, 86_400],
    ],
  ] as const)('%s', (_name, rule, headers, status, expected) => {
    expect(shown(draft(rule, headers, status))).toEqual(expected);
  });
});

describe('a rule that overrides', () => {
  const OVERRIDE: Rule = { ...CAREFUL, overridesResponse: true };

  test.each([
    ['overrides max-age=0', OVERRIDE, CONTROL('max-age=0, must-revalidate'), 200, [30, 600, 86_400]],
    ['overrides no-cache', OVERRIDE, CONTROL('no-cache'), 200, [30, 600, 86_400]],
    ['overrides a targeted field', OVERRIDE, ['CDN-Cache-Control', 'max-age=7'], 200, [30, 600, 86_400]],
    ['changes nothing for other statuses', OVERRIDE, CONTROL('max-age=7'), 403, [7, 600, 86_400]],
    ['does not override no-store', OVERRIDE, CONTROL('no-store'), 200, 'no-store'],
    ['does not override private', OVERRIDE, CONTROL('private'), 200, 'private'],
  ] as const)('%s', (_name, rule, headers, status, expected) => {
    expect(shown(draft(rule, headers, status))).toEqual(expected);
  });
});

function shown(outcome: StoredResponseDraft | string): readonly number[] | string {
  if (typeof outcome === 'string') return outcome;
  return [outcome.freshnessLifetime, outcome.staleWhileRevalidate, outcome.staleIfError];
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClientResponse } from '../../../src/cache/policy/client-response.ts';
import {
  canServeOnFailure,
  evaluateReuse,
  NO_REQUEST_DIRECTIVES,
  parseRequestDirectives,
  selectStoredResponse,
} from '../../../src/cache/policy/reuse.ts';
import {
  applySoftPurge,
  calculateCurrentAge,
  calculateTimeToLive,
  formatAge,
  isFresh,
} from '../../../src/cache/policy/storability.ts';
import type { StoredResponse } from '../../../src/cache/store.ts';

const START = Date.UTC(2031, 10, 1);

const STORED: StoredResponse = {
  status: 200,
  headers: ['Content-Type', 'application/json', 'ETag', '"a"'],
  body: new TextEncoder().encode('0123456789'),
  variantKey: '',
  vary: [],
  requestTime: START,
  responseTime: START,
  initialAge: 0,
  freshnessLifetime: 60,
  staleWhileRevalidate: 10,
  staleIfError: 100,
  staleIfUnreachable: 100,
  isSoftPurged: false,
  tags: [],
};

const at = (seconds: number): number => START + seconds * 1000;

describe('time', () => {
  test('turns a fresh response stale, and then unusable', () => {
    const uses = [0, 59, 60, 69, 70, 159, 160].map((seconds) => [
      evaluateReuse(STORED, NO_REQUEST_DIRECTIVES, at(seconds)),
      canServeOnFailure(STORED, NO_REQUEST_DIRECTIVES, at(seconds), 'error'),
    ]);
    expect(uses).toEqual([
      ['fresh', true],
      ['fresh', true],
      ['stale-while-revalidate', true],
      ['stale-while-revalidate', true],
      ['revalidate', true],
      ['revalidate', true],
      ['revalidate', false],
    ]);
  });

  test('set back, does not reduce the initial age', () => {
    expect(calculateCurrentAge({ ...STORED, initialAge: 5 }, at(-1000))).toBe(5);
    expect(formatAge({ ...STORED, initialAge: 5.9 }, at(-1000))).toBe('5');
  });

  test('a response is fresh exactly if it has time to live', () => {
    const responses = fc.record({
      initialAge: fc.integer({ min: 0, max: 200 }),
      freshnessLifetime: fc.integer({ min: 0, max: 200 }),
      isSoftPurged: fc.boolean(),
    });
    fc.assert(
      fc.property(responses, fc.integer({ min: 0, max: 300 }), (fields, seconds) => {
        const response = { ...STORED, ...fields };
        expect(isFresh(response, at(seconds))).toBe(calculateTimeToLive(response, at(seconds)) > 0);
        expect(evaluateReuse(response, NO_REQUEST_DIRECTIVES, at(seconds)) === 'fresh').toBe(
          isFresh(response, at(seconds)),
        );
      }),
    );
  });
});

describe('a response after a soft purge', () => {
  const purged = applySoftPurge(STORED, at(0));

  test('is stale at once, and served while it is revalidated', () => {
    expect(isFresh(purged, at(1))).toBe(false);
    expect(calculateTimeToLive(purged, at(1))).toBe(-1);
    expect(evaluateReuse(purged, NO_REQUEST_DIRECTIVES, at(1))).toBe('stale-while-revalidate');
  });

  test('is not served without a stale window', () => {
    expect(evaluateReuse({ ...purged, staleWhileRevalidate: 0 }, NO_REQUEST_DIRECTIVES, at(1))).toBe(
      'revalidate',
    );
    expect(canServeOnFailure({ ...purged, staleIfError: 0 }, NO_REQUEST_DIRECTIVES, at(1), 'error')).toBe(
      false,
    );
  });

  test('may replace an error of the origin', () => {
    expect(canServeOnFailure(purged, NO_REQUEST_DIRECTIVES, at(1), 'error')).toBe(true);
  });
});

describe('the cost of a hit', () => {
  test('a request without directives needs no allocation', () => {
    const headers = [
      'Host',
      'a',
      'Accept',
      '*/*',
      'If',
      'x',
      'Ranges',
      'x',
      'Pragmas',
      'x',
      'Cache-Controls',
      'x',
    ];
    expect(parseRequestDirectives(headers)).toBe(NO_REQUEST_DIRECTIVES);
  });

  test('the stored header list and body are not copied', () => {
    const response = createClientResponse(STORED, NO_REQUEST_DIRECTIVES, 'GET', at(1));
    expect(response.headers).toBe(STORED.headers);
    expect(response.body).toBe(STORED.body);
  });

  test('a range of a body is not copied', () => {
    const response = createClientResponse(
      STORED,
      parseRequestDirectives(['Range', 'bytes=2-4']),
      'GET',
      at(1),
    );
    expect(response.body.buffer).toBe(STORED.body.buffer);
    expect(new TextDecoder().decode(response.body)).toBe('234');
  });

  test('a variant that was made stale is not preferred to a newer response without Vary', () => {
    const varied = { ...STORED, vary: ['foo'], variantKey: 'foo:1\n', isSoftPurged: true };
    const request = { getVariantKey: () => 'foo:1\n', identifyingFields: [] };
    expect(selectStoredResponse([STORED, varied], request, at(1))).toBe(STORED);
  });

  test('a single response without Vary is selected without its variant key', () => {
    expect(selectStoredResponse([STORED], { getVariantKey: () => '', identifyingFields: [] }, at(0))).toBe(
      STORED,
    );
    expect(
      selectStoredResponse([], { getVariantKey: () => '', identifyingFields: [] }, at(0)),
    ).toBeUndefined();
  });
});

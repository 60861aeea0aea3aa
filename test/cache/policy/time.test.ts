import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  calculateCurrentAge,
  calculateTimeToLive,
  canServeOnError,
  createClientResponse,
  evaluateReuse,
  formatAge,
  isFresh,
  NO_REQUEST_DIRECTIVES,
  parseRequestDirectives,
  selectStoredResponse,
} from '../../../src/cache/policy/index.ts';
import type { StoredResponse } from '../../../src/cache/store.ts';

const START = Date.UTC(2031, 10, 1);

const ANSWER: StoredResponse = {
  status: 200,
  headers: ['Content-Type', 'application/json', 'ETag', '"a"'],
  body: new TextEncoder().encode('0123456789'),
  variant: '',
  vary: [],
  requestTime: START,
  responseTime: START,
  initialAge: 0,
  lifetime: 60,
  staleWhileRevalidate: 10,
  staleIfError: 100,
  markedStale: false,
  tags: [],
};

const at = (seconds: number): number => START + seconds * 1000;

describe('time', () => {
  test('passes from fresh to stale to no longer served', () => {
    const uses = [0, 59, 60, 69, 70, 159, 160].map((seconds) => [
      evaluateReuse(ANSWER, NO_REQUEST_DIRECTIVES, at(seconds)),
      canServeOnError(ANSWER, NO_REQUEST_DIRECTIVES, at(seconds)),
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

  test('that is set back makes nothing younger than it came', () => {
    expect(calculateCurrentAge({ ...ANSWER, initialAge: 5 }, at(-1000))).toBe(5);
    expect(formatAge({ ...ANSWER, initialAge: 5.9 }, at(-1000))).toBe('5');
  });

  test('an answer is fresh or has time to live, and never one without the other', () => {
    const answers = fc.record({
      initialAge: fc.integer({ min: 0, max: 200 }),
      lifetime: fc.integer({ min: 0, max: 200 }),
      markedStale: fc.boolean(),
    });
    fc.assert(
      fc.property(answers, fc.integer({ min: 0, max: 300 }), (facts, seconds) => {
        const answer = { ...ANSWER, ...facts };
        expect(isFresh(answer, at(seconds))).toBe(calculateTimeToLive(answer, at(seconds)) > 0);
        expect(evaluateReuse(answer, NO_REQUEST_DIRECTIVES, at(seconds)) === 'fresh').toBe(
          isFresh(answer, at(seconds)),
        );
      }),
    );
  });
});

describe('what was purged softly', () => {
  const purged = { ...ANSWER, markedStale: true };

  test('is stale at once, and served while it is asked about', () => {
    expect(isFresh(purged, at(1))).toBe(false);
    expect(calculateTimeToLive(purged, at(1))).toBe(0);
    expect(evaluateReuse(purged, NO_REQUEST_DIRECTIVES, at(1))).toBe('stale-while-revalidate');
  });

  test('is not served where nothing stale is', () => {
    expect(evaluateReuse({ ...purged, staleWhileRevalidate: 0 }, NO_REQUEST_DIRECTIVES, at(1))).toBe(
      'revalidate',
    );
    expect(canServeOnError({ ...purged, staleIfError: 0 }, NO_REQUEST_DIRECTIVES, at(1))).toBe(false);
  });

  test('is not what a caller means by max-stale or stale-if-error', () => {
    const none = { ...purged, staleWhileRevalidate: 0, staleIfError: 0 };
    expect(evaluateReuse(none, parseRequestDirectives(['Cache-Control', 'max-stale']), at(1))).toBe(
      'revalidate',
    );
    expect(canServeOnError(none, parseRequestDirectives(['Cache-Control', 'stale-if-error=60']), at(1))).toBe(
      false,
    );
  });

  test('stands in for a site that fails', () => {
    expect(canServeOnError(purged, NO_REQUEST_DIRECTIVES, at(1))).toBe(true);
  });
});

describe('a hit costs little', () => {
  test('a request that wishes nothing is not read further', () => {
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

  test('the stored list of fields and the stored body go out as they are', () => {
    const reply = createClientResponse(ANSWER, NO_REQUEST_DIRECTIVES, 'GET', at(1));
    expect(reply.headers).toBe(ANSWER.headers);
    expect(reply.body).toBe(ANSWER.body);
  });

  test('a part of a body is no copy of it', () => {
    const reply = createClientResponse(ANSWER, parseRequestDirectives(['Range', 'bytes=2-4']), 'GET', at(1));
    expect(reply.body.buffer).toBe(ANSWER.body.buffer);
    expect(new TextDecoder().decode(reply.body)).toBe('234');
  });

  test('one answer that does not vary is chosen without looking at the request', () => {
    expect(selectStoredResponse([ANSWER], { variant: () => '' }, at(0))).toBe(ANSWER);
    expect(selectStoredResponse([], { variant: () => '' }, at(0))).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { retry, retryDelay, sleep } from '../../../../src/generator/client/runtime/retry.ts';
import { cutAfterHead, useStubApi } from './stub.ts';

const api = useStubApi();
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);

/** A clock that waits for nothing and records the delays. */
function recordDelays() {
  const delays: number[] = [];
  const sleep = async (milliseconds: number) => void delays.push(milliseconds);
  return { delays, environment: { random: () => 0.5, now: () => NOW, sleep } };
}

describe('the delay before a repetition', () => {
  const delay = (status: number | undefined, retryAfter?: string, attempt = 0) => {
    const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
    const response = status === undefined ? undefined : new Response(null, { status, headers });
    return retryDelay(response, attempt, { random: () => 0.5, now: () => NOW });
  };

  test.each([
    ['a network failure', undefined, undefined, 250],
    ['429', 429, undefined, 250],
    ['502', 502, undefined, 250],
    ['504', 504, undefined, 250],
    ['Retry-After in seconds', 503, '7', 7000],
    ['Retry-After of zero', 503, '0', 0],
    ['Retry-After as a date', 429, 'Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Retry-After in the past', 429, 'Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['a senseless Retry-After', 503, 'soon', 250],
    ['the longest Retry-After', 503, '60', 60_000],
    ['a longer Retry-After', 503, '61', undefined],
    ['an endless Retry-After', 503, '9'.repeat(400), undefined],
    ['200', 200, undefined, undefined],
    ['500', 500, '1', undefined],
  ])('after %s', (_, status, retryAfter, expected) => {
    expect(delay(status, retryAfter)).toBe(expected);
  });

  test('doubles up to a limit, with full jitter', () => {
    const delays = [0, 1, 2, 3, 10, 1000].map((attempt) => delay(503, undefined, attempt));
    expect(delays).toEqual([250, 500, 1000, 2000, 30_000, 30_000]);
  });
});

describe('a call with retries', () => {
  test('repeats GET until the site responds', async () => {
    let failures = 2;
    api.respond(() => (failures-- > 0 ? { status: 503 } : { body: null }));
    const { delays, environment } = recordDelays();
    const { response } = await api.client({ retries: retry(3, environment) }).GET('/a');
    expect(response?.status).toBe(200);
    expect(delays).toEqual([250, 500]);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('does not repeat %s', async (method) => {
    api.respond(() => ({ status: 503 }));
    const { delays, environment } = recordDelays();
    expect((await api.client({ retries: retry(3, environment) })[method]('/a')).error?.status).toBe(503);
    expect(delays).toEqual([]);
    expect(api.requests).toHaveLength(1);
  });

  test.each([
    ['a network failure', () => Promise.reject(new TypeError('fetch failed'))],
    ['a connection that is lost within the body', cutAfterHead],
  ])('repeats after %s, and has the last response', async (_, fail) => {
    api.respond(() => ({ status: 504 }));
    const { delays, environment } = recordDelays();
    const transport = (request: Request) => (delays.length === 0 ? fail(request) : fetch(request));
    const call = api.client({ fetch: transport, retries: retry(2, environment) }).GET('/a');
    expect((await call).error?.status).toBe(504);
    expect(delays).toEqual([250, 500]);
  });

  test('of the call replaces those of the client; the default is none', async () => {
    api.respond(() => ({ status: 503 }));
    const { environment } = recordDelays();
    await api.client({}).GET('/a');
    expect(api.requests).toHaveLength(1);
    await api.client({ retries: retry(5, environment) }).GET('/a', { retries: retry(0) });
    expect(api.requests).toHaveLength(2);
    await api.client({}).GET('/a', { retries: retry(1, environment) });
    expect(api.requests).toHaveLength(4);
  });

  test('ends when the signal aborts, also while it waits', async () => {
    const abort = new AbortController();
    api.respond(() => ({ status: 503 }));
    const waiting = {
      sleep: (milliseconds: number, signal?: AbortSignal) => {
        abort.abort(new Error('enough'));
        return sleep(milliseconds, signal);
      },
    };
    const call = api.client({ retries: retry(5, waiting) }).GET('/a', { signal: abort.signal });
    await expect(call).rejects.toThrow('enough');
    expect(api.requests).toHaveLength(1);
    const { delays, environment } = recordDelays();
    const client = api.client({ retries: retry(5, environment), signal: abort.signal });
    await expect(client.GET('/a')).rejects.toThrow('enough');
    expect(delays).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { DEFAULT_UPSTREAM_TIMEOUTS } from '../../src/http/exchange.ts';
import { TransportMap } from '../../src/upstream/site-connections.ts';

const origin = 'https://example.com';
const timeouts = DEFAULT_UPSTREAM_TIMEOUTS;

test('two sites with one origin have their own timeouts and TLS settings', () => {
  const created: object[] = [];
  const map = new TransportMap((target) => {
    created.push(target);
    return target;
  });
  const tls = { insecure: true };
  const short = { connect: 1, headers: 2, body: 3 };
  for (let time = 0; time < 2; time += 1) {
    expect(map.get({ origin, timeouts })).toEqual({ origin, timeouts });
    expect(map.get({ origin, timeouts: short })).toEqual({ origin, timeouts: short });
    expect(map.get({ origin, timeouts, tls })).toEqual({ origin, timeouts, tls });
    expect(map.get({ origin: 'https://other.example.com', timeouts, tls }).origin).toContain('other');
  }
  expect(created).toHaveLength(4);
  expect(new Set(map.values())).toEqual(new Set(created));
});

test('the transports of what is no longer used are forgotten, and the others stay', () => {
  const map = new TransportMap((target) => target);
  const tls = { insecure: true };
  const short = { connect: 1, headers: 2, body: 3 };
  const kept = map.get({ origin, timeouts, tls });
  const left = [map.get({ origin, timeouts }), map.get({ origin, timeouts: short, tls })];
  expect(new Set(map.retain([{ timeouts, tls }]))).toEqual(new Set(left));
  expect(map.values()).toEqual([kept]);
  expect(map.get({ origin, timeouts, tls })).toBe(kept);
  expect(map.get({ origin, timeouts })).not.toBe(left[0]);
});

test('settings of a configuration that is read again keep their connections', () => {
  const map = new TransportMap((target) => target);
  const tls = { insecure: true };
  const short = { connect: 1, headers: 2, body: 3 };
  const first = map.get({ origin, timeouts: short, tls });
  const second = map.get({ origin: 'https://other.example.com', timeouts: { ...short }, tls: { ...tls } });
  const [timeouts, other] = [{ ...short }, { ...short }];
  const used = [
    { timeouts, tls: { ...tls } },
    { timeouts: other, tls },
  ];
  expect(map.retain(used)).toEqual([]);
  for (const each of used) {
    expect(map.get({ origin, ...each })).toBe(first);
    expect(map.get({ origin: second.origin, ...each })).toBe(second);
  }
  expect(new Set(map.retain([{ timeouts: { ...short, body: 4 }, tls }]))).toEqual(new Set([first, second]));
});

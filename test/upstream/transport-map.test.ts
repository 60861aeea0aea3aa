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

import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

const SITE = { url: 'https://example.com' };

function faultsOf(input: unknown): readonly string[] {
  const outcome = readConfig(input);
  return outcome.ok ? [] : outcome.faults;
}

test('what is left out has its default', () => {
  expect(readConfig({ sites: [SITE] })).toMatchObject({
    ok: true,
    config: { port: 8080, host: '127.0.0.1', sites: [{ discovery: 'auto', timeouts: { connect: 10_000 } }] },
  });
});

test('requests are watched, and none refused, where nothing is said of it', () => {
  expect(readConfig({ sites: [SITE] })).toMatchObject({
    config: { sites: [{ validation: { mode: 'observe', routes: [] } }] },
  });
});

test('nothing is kept where nothing is said of a store', () => {
  expect(readConfig({ sites: [SITE] })).toMatchObject({ config: { cache: { store: 'off' } } });
});

test('sizes become bytes, and times of rules seconds', () => {
  const rules = [{ match: '/wp/v2/posts*', ttl: '5m', swr: '1h', sie: '2d', notFound: '500ms' }];
  const read = readConfig({
    cache: { store: 'memory', maxBytes: '1GiB', maxEntryBytes: '512KiB' },
    sites: [{ ...SITE, cache: { rules, watch: '10s' } }],
  });
  expect(read).toMatchObject({
    config: {
      cache: { maxBytes: 1024 ** 3, maxEntryBytes: 512 * 1024 },
      sites: [
        {
          cache: {
            enabled: true,
            default: true,
            watch: 10_000,
            rules: [{ ttl: 300, swr: 3600, sie: 172_800, notFound: 0.5 }],
          },
        },
      ],
    },
  });
});

describe('what is wrong is said with its place and with what would be right:', () => {
  test.each([
    ['no site', {}, /^sites: .*array/],
    ['an empty list of sites', { sites: [] }, /^sites: .*--site <url>/],
    ['an unknown setting', { sites: [SITE], prot: 1 }, /^the configuration: .*"prot"; there are port, host,/],
    [
      'an unknown one of a site',
      { sites: [{ ...SITE, nme: 'a' }] },
      /^sites\[0\]: .*"nme"; there are name, url,/,
    ],
    [
      'an unknown one further down',
      { sites: [{ ...SITE, timeouts: { idle: '1s' } }] },
      /^sites\[0\]\.timeouts: .*"idle"; there are connect, headers, body$/,
    ],
    ['a number for a time', { sites: [{ ...SITE, rediscover: 5 }] }, /^sites\[0\]\.rediscover: .*30s, 5m/],
    [
      'a time that is none',
      { sites: [{ ...SITE, rediscover: 'soon' }] },
      /^sites\[0\]\.rediscover: "soon" .*5m/,
    ],
    ['no pause at all', { sites: [{ ...SITE, rediscover: '0s' }] }, /^sites\[0\]\.rediscover: .*100ms/],
    ['an address that is none', { sites: [{ url: 'x' }] }, /^sites\[0\]\.url: .*http or https/],
    [
      'a name of two segments',
      { sites: [{ ...SITE, name: 'a/b' }] },
      /^sites\[0\]\.name: .*one path segment/,
    ],
    ['a name twice', { sites: [SITE, SITE] }, /^sites\[1\]\.name: only one/],
    ['a port that is none', { sites: [SITE], port: 65_536 }, /^port: .*65535/],
    [
      'a mode that is none',
      { sites: [{ ...SITE, validation: { mode: 'strict' } }] },
      /^sites\[0\]\.validation\.mode: .*"off"\|"observe"\|"enforce"/,
    ],
    [
      'agreement with nothing',
      { sites: [{ ...SITE, validation: { mode: 'enforce', afterAgreement: 0 } }] },
      /^sites\[0\]\.validation\.afterAgreement: .*1/,
    ],
    [
      'routes of no mode',
      { sites: [{ ...SITE, validation: { routes: [{ match: 'wp/v2' }] } }] },
      /^sites\[0\]\.validation\.routes\[0\]\.mode: /,
    ],
    ['an admin port that is none', { sites: [SITE], admin: { port: -1 } }, /^admin\.port: .*0/],
    ['a store that is none', { sites: [SITE], cache: { store: 'disk' } }, /^cache\.store: .*redis:\/\//],
    [
      'a body of a size that is none',
      { sites: [{ ...SITE, validation: { bodyLimit: '8 elephants' } }] },
      /^sites\[0\]\.validation\.bodyLimit: "8 elephants" .*64MiB/,
    ],
    [
      'a size that is none',
      { sites: [SITE], cache: { maxBytes: 'much' } },
      /^cache\.maxBytes: "much" .*64MiB/,
    ],
    [
      'a rule for nothing',
      { sites: [{ ...SITE, cache: { rules: [{ ttl: '5m' }] } }] },
      /^sites\[0\]\.cache\.rules\[0\]\.match: /,
    ],
    [
      'a rule with a time that is none',
      { sites: [{ ...SITE, cache: { rules: [{ match: 'wp/v2', ttl: 'long' }] } }] },
      /^sites\[0\]\.cache\.rules\[0\]\.ttl: "long" .*5m/,
    ],
    [
      'a watch without a pause',
      { sites: [{ ...SITE, cache: { watch: '1ms' } }] },
      /^sites\[0\]\.cache\.watch: .*1s/,
    ],
    ['a word that is not a choice', { sites: [{ ...SITE, unknownRoutes: 'maybe' }] }, /"pass"\|"refuse"/],
  ])('%s', (_, input, expected) => {
    expect(faultsOf(input)).toEqual([expect.stringMatching(expected)]);
  });

  test('no fault repeats credentials', () => {
    expect(faultsOf({ sites: [{ ...SITE, auth: 'sekrit' }] }).join()).not.toContain('sekrit');
  });
});

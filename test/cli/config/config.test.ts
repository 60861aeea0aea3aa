import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, resolveReferences, SETTINGS, type Setting } from '../../../src/cli/config/settings.ts';
import { readStructuredFile } from '../../../src/cli/config/structured-file.ts';
import { useFolder } from '../../support/folder.ts';

const SITE = { url: 'https://example.com' };

/** A configuration of one site. */
const site = (settings: object, others: object = {}): object => ({
  sites: [{ ...SITE, ...settings }],
  ...others,
});

const sites = (...settings: readonly object[]): object => ({
  sites: settings.map((each) => ({ ...SITE, ...each })),
});

function configErrors(input: unknown): readonly string[] {
  const result = readConfig(input);
  return result.ok ? [] : result.errors;
}

describe('the texts of a configuration file', () => {
  const folder = useFolder();
  const resolveIn = (input: object, env: Readonly<Record<string, string>> = {}) =>
    resolveReferences(input, SETTINGS.serve, { folder: folder(), env });

  test.each<[string, object, object]>([
    ['have variables', { admin: { token: '${TOKEN}' } }, { admin: { token: 'from the environment' } }],
    ['have several', { sites: [{ url: 'http://${A}.${C}' }] }, { sites: [{ url: 'http://a.example' }] }],
    ['have defaults', { cache: { store: '${NONE:-memory}' } }, { cache: { store: 'memory' } }],
    ['have defaults for empty ones', { mode: '${EMPTY:-strict}' }, { mode: 'strict' }],
    ['have empty defaults', { host: '${NONE:-}' }, { host: '' }],
    ['escape what is none', { host: '$${A} $A {A}' }, { host: '${A} $A {A}' }],
    ['are numbers where one is expected', { port: '${PORT}' }, { port: 8080 }],
    [
      'are Boolean where one is expected',
      { sites: [{ passthrough: '${YES}' }] },
      { sites: [{ passthrough: true }] },
    ],
    ['stay texts where one is expected', { admin: { token: '${PORT}' } }, { admin: { token: '8080' } }],
    [
      'end before a last line break',
      { admin: { token: 'a\n', host: '${LINE}' } },
      { admin: { token: 'a', host: 'b\n' } },
    ],
    ['are in unknown settings too', { unknown: ['${A}'] }, { unknown: ['a'] }],
  ])('%s', (_, input, expected) => {
    const own = { TOKEN: 'from the environment', PORT: '8080', YES: 'true' };
    const env = { ...own, A: 'a', C: 'example', EMPTY: '', LINE: 'b\n\n' };
    expect(resolveIn(input, env)).toEqual({ value: expected, errors: new Map() });
  });

  test('are contents of files', async () => {
    await writeFile(join(folder(), 'token'), 'of the file\r\n');
    expect(resolveIn({ admin: { token: 'file:token' } }).value).toEqual({ admin: { token: 'of the file' } });
    expect(resolveIn({ state: '${FOLDER}' }, { FOLDER: 'state' }).value).toEqual({
      state: join(folder(), 'state'),
    });
  });

  test('have no default that contains a variable', () => {
    const { errors } = resolveIn({ admin: { token: '${MISSING:-${OTHER}}' } });
    expect([...errors]).toEqual([['admin.token', 'the default of ${MISSING} must not contain a variable']]);
  });

  test('that refer to what is missing are errors by their location, with the others', () => {
    const input = { admin: { token: '${MISSING}' }, sites: [{ url: 'file:none', auth: '${1}' }], port: 'x' };
    const { errors, value } = resolveIn(input);
    const result = readConfig(value, errors);
    expect(result).toMatchObject({
      ok: false,
      errors: [
        'admin.token: the environment variable MISSING is not set; ${MISSING:-text} gives it a default',
        expect.stringMatching(/^sites\[0\]\.url: there is no such file: /),
        'sites[0].auth: ${1} is not a variable; write $${1} for the literal text',
        'port: must be a whole number from 0 to 65535, not a text',
      ],
    });
  });
});

test('a site with hosts needs no name', () => {
  const sites = ['blog', 'shop'].map((name) => ({ ...SITE, hosts: [`${name}.example.com`] }));
  expect(configErrors({ sites: [...sites, SITE] })).toEqual([]);
  expect(configErrors({ sites: [SITE, SITE] })).toEqual([
    'sites[1].name: only one site may have neither a name nor hosts',
  ]);
  expect(configErrors({ sites: [{ ...SITE, hosts: [] }] })[0]).toMatch(/^sites\[0\]\.hosts: /);
});

test('sizes become bytes, and durations of cache rules become seconds', () => {
  const rules = [{ match: '/wp/v2/posts*', ttl: '5m', swr: '1h', sie: '2d' }];
  const read = readConfig({
    cache: { store: 'memory', maxBytes: '1GiB' },
    sites: [{ ...SITE, cache: { rules } }],
  });
  expect(read).toMatchObject({
    config: {
      cache: { maxBytes: 1024 ** 3 },
      sites: [{ cache: { rules: [{ ttl: 300, swr: 3600, sie: 172_800 }] } }],
    },
  });
});

test.each([
  ['500', 500],
  ['64KiB', 64 * 1024],
  ['3mib', 3 * 1024 ** 2],
])('a size of %s is %i bytes', (maxBytes, bytes) => {
  expect(readConfig({ cache: { maxBytes }, sites: [SITE] })).toMatchObject({
    config: { cache: { maxBytes: bytes } },
  });
});

/** Settings of the file, and `site` of its site, with the error of each: its place, and the accepted values. */
test.each<[input: object, error: RegExp]>([
  [{ sites: undefined }, /^sites: .*--site <url>/],
  [{ admin: [] }, /^admin: must be a section .*, not a list$/],
  [{ zebra: 1 }, /^zebra: unknown key; known keys: port, host,/],
  [{ cache: { store: 'redis://a', redisAway: '5s' } }, /^cache\.redisAway: was removed: .*forwarded/],
  [{ port: 80, host: '0.0.0.0', admin: { port: 80 } }, /^admin\.port: 80 is the port of the sites, too/],
  [site({ rediscover: '25d' }), /\.rediscover: "25d" is not a duration/],
  [{ log: 'combined' }, /^log: .*combined was removed: .*read JSON/],
  [{ admin: { alerts: { errors: 5 } } }, /^admin\.alerts\.errors: must be a number from 0 to 1: a share/],
  [site({ nme: 'a' }), /^sites\[0\]\.nme: unknown key; did you mean "name"\?$/],
  [site({ validation: { mode: 'eager' } }), /\.validation\.mode: must be one of "off", "observe", "enforce"/],
  [site({ errorPages: { '502': 'a' } }), /\.errorPages: was removed: .*examples\/hono\/error-pages/],
  [site({ rewriteBodies: true }), /\.rewriteBodies: was removed: .*upstream\.host/],
  [site({ cache: { device: true } }), /^sites\[0\]\.cache\.device: was removed: .*keyHeaders/],
  [site({ mcp: { limits: { client: '9/m' } } }), /\.mcp\.limits: was removed: .*"match: \/mcp"/],
  [site({ limits: { rules: [{ client: '5/m' }] } }), /^sites\[0\]\.limits\.rules\[0\]\.match/],
  [site({ cache: { pages: '60s' } }), /\.cache\.pages: needs "passthrough: true"; otherwise no page is/],
  [
    site({ discovery: 'off', passthrough: true, cache: { pages: '60s' } }),
    /\.cache\.pages: needs discovery; use a rule instead$/,
  ],
  [site({ upstream: { headers: { 'X-Forwarded-Proto': 'https' } } }), /\.X-Forwarded-Proto: is .*publicUrl$/],
  [site({ discovery: 'off', mcp: true }), /^sites\[0\]\.mcp: needs discovery, or a "document"$/],
  [site({ cors: { origins: ['*'], credentials: true } }), /^sites\[0\]\.cors\.credentials: cannot be true/],
  [sites({ name: 'a' }, { name: 'a' }), /^sites\[1\]\.name: the name "a" is used twice$/],
  [
    sites({ name: 'x.example', hosts: ['a.example'] }, { hosts: ['x.example'] }),
    /^sites\[1\]\.name: .* twice;/,
  ],
  [
    sites({ hosts: ['*.a.example'] }, { hosts: ['a.example'] }),
    /^sites\[1\]\.name: .* used twice; a site with/,
  ],
  [sites({ hosts: ['[::1]'] }), /^sites\[0\]\.name: is needed at the host "\[::1\]"/],
  [
    sites({ name: 'a', hosts: ['X.example'] }, { hosts: ['y.example', 'x.example'] }),
    /^sites\[1\]\.hosts\[1\]: "x\.example" is a host of the site "a" too; remove one of them$/,
  ],
  [sites({ name: 'a', hosts: ['x.example', 'X.example'] }), /^sites\[0\]\.hosts\[1\]: .*stated twice/],
  [{ ...sites({ hosts: ['x.example'] }), hosts: ['x.example'] }, /^hosts\[0\]: .* a host of the site "x/],
  [
    sites({ hosts: ['x.example'], publicUrl: 'https://y.example' }),
    /^sites\[0\]\.publicUrl: "y\.example" is none of the hosts of the site/,
  ],
  [{ redis: {} }, /^redis\.url: is required$/],
  [{ redis: { url: 'redis://a:b@c', passwordFile: 'p' } }, /^redis\.passwordFile: .* not both$/],
  [{ redis: { url: 'redis://a', ca: 'ca.pem' } }, /^redis\.url: must begin with rediss:/],
  [{ redis: { url: 'rediss://a', cert: 'c.pem' } }, /^redis\.cert: cert and key are needed together$/],
  [{ redis: 'redis://a', cache: { store: 'redis://b' } }, /^cache\.store: must be memory or off/],
  [{ host: '127.0.0.300' }, /^host: must be an IP address or a name/],
  [{ admin: { host: '1.2.3.4.5' } }, /^admin\.host: must be an IP address/],
  [site({ docs: '/x', openapi: '/x' }), /^sites\[0\]\.docs: .* different addresses$/],
  [site({ openapi: '/mcp', mcp: true }), /^sites\[0\]\.docs: .* different addresses$/],
  [{ port: 80, admin: { port: 80 } }, /^admin\.port: 80 is the port of the sites, too/],
])('%j is an error with its place', (input, message) => {
  expect(configErrors({ sites: [SITE], ...input })).toEqual([expect.stringMatching(message)]);
});

test('no error repeats credentials', () => {
  const upstream = { headers: { Authorization: 'sekrit', 'X-A': 'sekrit\r\nHost: b' } };
  expect(configErrors(site({ auth: 'sekrit', upstream })).join()).not.toContain('sekrit');
});

test('each setting that is a secret is marked as one, so that nothing prints it', () => {
  const list = (setting: Setting, name: string): readonly (readonly [string, Setting])[] => {
    const { additionalProperties, anyOf = [], items, properties = {} } = setting;
    return [
      [name, setting],
      ...Object.entries(properties).flatMap(([key, member]) => list(member, key)),
      ...[items, ...anyOf].flatMap((each) => (each ? list(each, name) : [])),
      ...(additionalProperties ? list(additionalProperties, `a value of ${name}`) : []),
    ];
  };
  const secrets = list(SETTINGS.serve, '').filter(
    ([name, { format, type }]) =>
      /token|secret|auth|webhook|password|a value of/i.test(name) && type === 'string' && format !== 'path',
  );
  expect(secrets.length).toBeGreaterThan(6);
  expect(secrets.filter(([, { writeOnly }]) => writeOnly !== true)).toEqual([]);
});

describe('readStructuredFile', () => {
  const folder = useFolder();

  test.each([
    ['JSON with a byte order mark', '\ufeff{"port": 1, "hosts": []}'],
    ['YAML with a byte order mark', '\ufeffport: 1\r\nhosts: []\r\n'],
    ['YAML in flow style', '{ port: 1, hosts: [] }'],
  ])('reads %s', async (_, text) => {
    const path = join(folder(), 'config');
    await writeFile(path, text);
    expect(await readStructuredFile(path, '--config')).toEqual({ port: 1, hosts: [] });
  });
});

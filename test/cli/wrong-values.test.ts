import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigurationError } from '../../src/base/errors.ts';
import { createGateway } from '../../src/create-gateway.ts';
import { useFolder } from '../support/folder.ts';
import { runCommand } from './run-command.ts';

const folder = useFolder();

/** Lines of a configuration. Each of the second column is wrong, and its line is to be named with the setting. */
const LINES: readonly (readonly [line: string, wrong?: string])[] = [
  ['port: 80800', 'port'],
  ['publicUrl: https://example.com/?a=1', 'publicUrl'],
  ['hosts: ["http://example.com"]', 'hosts[0]'],
  ['trust: [10.0.0.0/8, proxy]', 'trust[1]'],
  ['shutdownGrace: soon', 'shutdownGrace'],
  ['redis: redis://host:port', 'redis'],
  ['admin:'],
  ['  token: short', 'admin.token'],
  ['  alerts: { clients: [fd00::/129] }', 'admin.alerts.clients[0]'],
  ['cache:'],
  ['  maxBytes: much', 'cache.maxBytes'],
  ['  store: redis://', 'cache.store'],
  ['sites:'],
  ['  - url: example.com', 'sites[0].url'],
  ['    name: a/b', 'sites[0].name'],
  ['    hosts: [a.example, "b c"]', 'sites[0].hosts[1]'],
  ['    namespaces: [wp/v2, "?"]', 'sites[0].namespaces[1]'],
  ['    docs: reference', 'sites[0].docs'],
  ['    upstream:'],
  ['      host: 127.1', 'sites[0].upstream.host'],
  ['      headers:'],
  ['        Host: a.example', 'sites[0].upstream.headers.Host'],
  ['        x_a: b', 'sites[0].upstream.headers.x_a'],
  ['        X-A: ☃', 'sites[0].upstream.headers.X-A'],
  ['    cache:'],
  ['      pages: 7h', 'sites[0].cache.pages'],
  ['      purgers: [10.0.0.0/33]', 'sites[0].cache.purgers[0]'],
  ['      rules: [{ match: /a, keyHeaders: [Cookie] }]', 'sites[0].cache.rules[0].keyHeaders[0]'],
  ['      writes: [{ match: PSOT /a, purges: nothing }]', 'sites[0].cache.writes[0].match'],
  ['    limits:'],
  ['      client: 5/week', 'sites[0].limits.client'],
  ['      rules: [{ match: /a, methods: [PSOT], client: 1/s }]', 'sites[0].limits.rules[0].methods[0]'],
  ['    access:'],
  ['      allow: [10.0.0]', 'sites[0].access.allow[0]'],
  ['      deny: [::1::]', 'sites[0].access.deny[0]'],
  ['      admin: [here]', 'sites[0].access.admin[0]'],
  ['    cors: { origins: [https://a.example/app] }', 'sites[0].cors.origins[0]'],
  ['    mcp: { writes: ["**"] }', 'sites[0].mcp.writes[0]'],
  ['    concurrency: 0', 'sites[0].concurrency'],
];

/** The places of a message's lines: `waygate.yaml:3:1: error: hosts[0]: …` becomes `3 hosts[0]`. */
const listPlaces = (text: string): readonly string[] =>
  Array.from(text.matchAll(/waygate\.yaml:(\d+):\d+: (?:error: )?([^\s:]+)[: ]/g), ([, line, setting]) =>
    [line, setting].join(' '),
  ).sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));

/** Files that are missing. */
const FILES: typeof LINES = [
  ['redis:'],
  ['  url: rediss://localhost'],
  ['  passwordFile: none', 'redis.passwordFile'],
  ['  ca: none.pem', 'redis.ca'],
  ['  cert: none.pem', 'redis.cert'],
  ['  key: none.pem', 'redis.key'],
  ['sites:'],
  ['  - url: http://a.example'],
  ['    hosts: [a.example]'],
  ['    upstream: { ca: none.pem }', 'sites[0].upstream.ca'],
  ['  - url: http://b.example'],
  ['    hosts: [b.example]'],
  ['    document: none.json', 'sites[1].document'],
  ['    overlay: none.json', 'sites[1].overlay'],
];
/** With a host of two sites. */
const CONFLICT: typeof LINES = FILES.map((row) =>
  row[0].includes('[b.') ? ['    hosts: [c.example, a.example]', 'sites[1].hosts[1]'] : row,
);

/** Wrong values beside conflicts of others. What a wrong value would conflict with is not told. */
const MIXED: typeof LINES = [
  ['port: 8080'],
  ['host: 127.0.0.300', 'host'],
  ['admin: { port: 8080 }'],
  ['redis: redis://a'],
  ['logLevel: ${LEVEL_THAT_IS_NOT_SET}', 'logLevel'],
  ['cache:'],
  ['  maxBytes: much', 'cache.maxBytes'],
  ['  store: redis://b', 'cache.store'],
  ['sites:'],
  ['  - url: a.example', 'sites[0].url'],
  ['    hosts: [a.example, "a b"]', 'sites[0].hosts[1]'],
  ['    docs: /x', 'sites[0].docs'],
  ['    openapi: /x'],
  ['  - url: http://b.example'],
  ['    name: a/b', 'sites[1].name'],
  ['    cache: { pages: 60s }', 'sites[1].cache.pages'],
  ['    hosts: [b.example, a.example]', 'sites[1].hosts[1]'],
  ['  - url: http://c.example'],
  ['    document: none.json', 'sites[2].document'],
];

const FAULTS = {
  'wrong value': LINES,
  'missing file': FILES,
  'conflict and missing file': CONFLICT,
  'wrong value, conflict and missing file': MIXED,
};

test.each(
  Object.entries(FAULTS).flatMap(([fault, lines]) => [
    { fault, lines, command: ['check', 'waygate.yaml', '--offline'] },
    { fault, lines, command: ['serve', '--config', 'waygate.yaml'] },
  ]),
)('$command.0 tells each $fault of a file at its line', async ({ command, lines }) => {
  const path = join(folder(), 'waygate.yaml');
  await writeFile(path, lines.map(([line]) => `${line}\n`).join(''));
  const args = command.map((word) => (word === 'waygate.yaml' ? path : word));
  const { code, err, out } = await runCommand(args, { cwd: folder() });
  expect(code).toBeGreaterThan(0);
  const expected = lines.flatMap(([, setting], at) =>
    setting === undefined ? [] : [`${at + 1} ${setting}`],
  );
  expect(listPlaces(out + err)).toEqual(expected);
});

test('a program that creates a gateway is told each of them, too', async () => {
  const error: unknown = await createGateway({
    trust: ['proxy'],
    sites: [{ url: 'http://a.example', cache: { purgers: ['10.0.0.0/33'] }, limits: { client: '5/week' } }],
  }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error instanceof ConfigurationError && error.problems).toEqual([
    expect.stringMatching(/^trust\[0\]: /),
    expect.stringMatching(/^sites\[0\]\.cache\.purgers\[0\]: /),
    expect.stringMatching(/^sites\[0\]\.limits\.client: /),
  ]);
});

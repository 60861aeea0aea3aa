import { expect, test } from 'vitest';
import type { ReloadResult } from '../../src/gateway/site/settings.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { startGateway, TOKEN } from '../support/gateway.ts';
import { runServer } from '../support/run.ts';
import { type CommandResult, refused, runCommand } from './run-command.ts';

const UNREACHABLE = 'http://127.0.0.1:2';
const site = useEchoSite();

const run = (args: readonly string[], sent = TOKEN): Promise<CommandResult> =>
  runCommand(args, { env: { WAYGATE_ADMIN_TOKEN: sent } });

/** @returns the URL of a gateway */
async function start(url: string, result: ReloadResult): Promise<string> {
  const admin = { token: TOKEN, reload: async () => result };
  return (await startGateway({ gateway: { sites: [{ name: 'echo', url }], admin } })).origin;
}

const DONE = { changed: ['cache.rules'], needsRestart: ['port'], unread: ['sites[1].url: away'] };

test('status, reload and purge use a running gateway', async () => {
  const url = await start(site.origin, DONE);
  const status = await run(['status', `${url}/`]);
  expect(status).toMatchObject({ code: 0, err: '' });
  expect(status.out).toMatch(/^ready\.\necho \(.+\): good \(\d+ operations?, read 0 minutes ago\)\n$/);
  const json = await run(['status', url, '--json']);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.out)).toMatchObject({ sites: [{ site: 'echo', operations: 6 }] });

  const out = 'changed: cache.rules; needs a restart: port\nsites[1].url: away\n';
  expect(await run(['reload', url])).toMatchObject({ code: 0, out });

  for (const [selection, count] of [
    [['--url', '/echo/core/v2/posts', '--url', `${url}/echo/core/v2/posts/7`], '2 responses'],
    [['--tag', '/core/v2/posts/7', '--site', 'echo'], '1 response'],
    [['--site', 'echo', '--soft'], '2 responses'],
    [['--all'], '2 responses'],
  ] as const) {
    for (const path of ['posts', 'posts/7']) await (await fetch(`${url}/echo/core/v2/${path}`)).text();
    const { code, out: printed } = await run(['purge', url, ...selection]);
    expect({ selection, code, printed }).toEqual({ selection, code: 0, printed: `purged ${count}\n` });
  }
  expect(await run(['purge', url, '--site', 'ecko'])).toMatchObject(
    refused('No site of this name is mounted; did you mean "echo"?'),
  );

  const wrong = await run(['reload', url], 'another-token-of-tests');
  expect(wrong).toMatchObject(refused('token'));
  expect(status.out + json.out + wrong.err).not.toMatch(/token-of/);
});

test('status and reload say what is wrong with a gateway', async () => {
  const problems = ['sites[0].url: it is no URL', 'port: it is no number'];
  const url = await start(UNREACHABLE, { problems });
  const { code, out } = await run(['status', url]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^not ready\. No site can be served yet\. echo: .*\necho: down \(0 operations, never read\)\. .*\n {2}could not be read, so requests get 503\n$/,
  );
  const broken = await runServer((_, response) => void response.writeHead(500).end());
  const { origin } = await startGateway({ url: broken.origin, document: undefined });
  const limited = expect.stringMatching(/^ready\..*\ndefault.*: limited /);
  expect(await run(['status', origin])).toMatchObject({ code: 1, out: limited });
  expect(await run(['reload', url])).toMatchObject(refused(problems.join('; ')));
  expect(await run(['status', UNREACHABLE])).toMatchObject({
    code: 3,
    err: expect.stringContaining(`cannot read ${UNREACHABLE}/-/`),
  });
});

test('a purge at gateways that share a store has no count', async () => {
  const { origin } = await runServer((_, response) => void response.end('{"purged":null}'));
  const args = ['purge', origin, '--tag', 'a', '--url', '/a'];
  expect(await run(args)).toMatchObject({ code: 0, out: 'purged at all gateways of its store\n' });
});

test('a redirect is not followed with the token', async () => {
  const reached: string[] = [];
  const { origin } = await runServer(({ url = '' }, response) => {
    reached.push(url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await run(['purge', origin, '--all'])).toMatchObject({ code: 3 });
  expect(reached).toEqual(['/-/purge']);
});

test.each([
  ['a purge without a selection', ['purge', UNREACHABLE], 'say what to purge: --url <address>, --tag <tag>'],
  ['--all beside a tag', ['purge', UNREACHABLE, '--all', '--tag', 'a'], 'cannot be used with option'],
  ['a path', ['status', '/dev/zero'], '"/dev/zero" is not an http or https URL.\n'],
  ['no gateway', ['reload'], "missing required argument 'gateway-url'"],
  [
    'several gateways',
    ['status', UNREACHABLE, UNREACHABLE],
    'for url in $GATEWAYS; do npx waygate status $url',
  ],
])('refuses %s', async (_, args, message) => {
  expect(await run(args)).toMatchObject(refused(message));
});

test.each([
  [['generate', '--from', 'x'], '--document <file>'],
  [['init', '--url', 'http://x'], '--site <url>'],
  [['status', '--gateway', 'http://x'], '<gateway-url> without a flag'],
  [['serve', '--watch'], 'waygate reload <gateway-url>'],
  [['check', '--format', 'json'], '--json'],
  [['diff', 'a', 'b', '--format=json'], '--json'],
])('%j is answered with the present name', async (args, name) => {
  expect(await runCommand(args, {})).toMatchObject({
    code: 2,
    err: expect.stringContaining(`: use ${name}`),
  });
});

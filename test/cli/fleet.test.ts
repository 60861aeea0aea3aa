import { expect, test } from 'vitest';
import { Gateway } from '../../src/gateway/index.ts';
import { type RunningServer, serve } from '../../src/node/index.ts';
import type { ReloadResult } from '../../src/site/options/gateway-options.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { type CommandResult, refused, runCommand } from './run-command.ts';

const token = 'the-token-of-the-tests';
const UNREACHABLE = 'http://127.0.0.1:2';
const site = useEchoSite();

const run = (args: readonly string[], sent = token): Promise<CommandResult> =>
  runCommand(args, { env: { WAYGATE_ADMIN_TOKEN: sent } });

async function startGateway(url: string, result: ReloadResult): Promise<RunningServer> {
  const gateway = new Gateway({
    sites: [{ name: 'echo', url }],
    cache: 'memory',
    admin: { token, reload: async () => result },
  });
  await gateway.rediscover();
  return serve({ gateway, port: 0 });
}

test('purge, reload and status use two gateways, and one that is away', async () => {
  const servers = await Promise.all([
    startGateway(site.origin, { changed: ['cache.rules'], needsRestart: ['port'] }),
    startGateway(UNREACHABLE, { problems: ['sites[0].url: it is no URL', 'port: it is no number'] }),
  ]);
  const [first, second] = servers.map(({ url }) => url);
  const urls = [`${first}/`, UNREACHABLE, `${second}`];
  const away = (path: string): string => `${UNREACHABLE}: cannot read ${UNREACHABLE}/-/${path}: .*\\n`;
  const read = async (): Promise<void> => {
    for (const path of ['posts', 'posts/7']) await (await fetch(`${first}/echo/core/v2/${path}`)).text();
  };
  try {
    const status = await run(['status', ...urls]);
    expect(status).toMatchObject({ code: 1, err: '' });
    expect(status.out).toMatch(
      new RegExp(
        `^${first}: ready\\.\\n${first} echo: good \\(\\d+ operations?, read 0 minutes ago\\)\\n${away('(?:ready|sites)')}` +
          `${second}: not ready\\. A site cannot be served yet\\. echo: .*\\n${second} echo: down: never read, so requests get 503 \\(0 operations, never read\\)\\. .*\\n$`,
      ),
    );
    const json = await run(['status', urls[0] ?? '', '--json']);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject([{ gateway: first, ok: true, sites: [{ operations: 6 }] }]);

    expect(await run(['reload', ...urls])).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        new RegExp(
          `^${first}: changed: cache\\.rules; needs a restart: port\\n${away('reload')}` +
            `${second}: .* nothing has changed\\. sites\\[0\\]\\.url: it is no URL; port: it is no number\\n$`,
        ),
      ),
    });

    for (const [selection, count] of [
      [['--url', '/echo/core/v2/posts', '--url', `${first}/echo/core/v2/posts/7`], '2 responses'],
      [['--tag', '/core/v2/posts/7', '--site', 'echo'], '1 response'],
      [['--site', 'echo', '--soft'], '2 responses'],
      [['--all'], '2 responses'],
    ] as const) {
      await read();
      const { code, out } = await run(['purge', first ?? '', second ?? '', ...selection]);
      expect({ selection, code, out }).toEqual({
        selection,
        code: 0,
        out: `${first}: purged ${count}\n${second}: purged 0 responses\n`,
      });
    }
    const unknown = await run(['purge', ...urls, '--site', 'ecko']);
    expect(unknown.code).toBe(1);
    expect(unknown.out.match(/No site of this name is mounted; did you mean "echo"\?/g)).toHaveLength(2);

    const wrong = await run(['reload', first ?? ''], 'another-token-of-tests');
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/^http:\S+: .*token.*\n$/);
    expect(status.out + json.out + wrong.out).not.toMatch(/token-of/);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
});

test.each([
  ['a purge without a selection', ['purge', UNREACHABLE], 'say what to purge: --url <address>, --tag <tag>'],
  ['--all beside a tag', ['purge', UNREACHABLE, '--all', '--tag', 'a'], 'cannot be used with option'],
  ['what is no URL', ['status', UNREACHABLE, 'a.example.com'], 'Did you mean https://a.example.com?'],
  ['a path', ['status', '/dev/zero'], '"/dev/zero" is not an http or https URL.\n'],
  ['no gateway', ['reload'], "missing required argument 'gateway-urls'"],
])('refuses %s', async (_, args, message) => {
  expect(await run(args)).toMatchObject(refused(message));
});

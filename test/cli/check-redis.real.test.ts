import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/cli/config/settings.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { useFolder } from '../support/folder.ts';
import { type RedisServer, redisCli, startRedisServer } from '../support/redis-server.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { runCommand } from './run-command.ts';

const folder = useFolder();

/** Checks a configuration with a value of `redis`. @returns the lines about it */
async function check(redis: object | string): Promise<readonly string[]> {
  const site = await startServer((_, response) => void response.end());
  const sites = [{ url: site.origin, discovery: 'off' }];
  await writeFile(join(folder(), 'waygate.json'), JSON.stringify({ redis, sites }));
  const { out } = await runCommand(['check', 'waygate.json'], { cwd: folder(), env: {} });
  await site.close();
  return out.split('\n').flatMap((line) => /(?:error|warning): (?:redis|cache).*/.exec(line) ?? []);
}

async function useServer(...options: readonly string[]): Promise<RedisServer> {
  const server = await startRedisServer(...options);
  closeAfterTest(() => server.stop());
  return server;
}

test('the form in the documentation is valid', async () => {
  const text = await readFile('docs/operators/operating.md', 'utf8');
  const [, examples = ''] = /^## Redis$.*?```yaml\n(.*?)```/ms.exec(text) ?? [];
  const results = parseAllDocuments(examples).map((document) =>
    readConfig({ ...document.toJS(), sites: [{ url: 'http://example.com' }] }),
  );
  expect(results).toEqual([expect.objectContaining({ ok: true })]);
});

test('a server: the password, its file and the role', async () => {
  const server = await useServer();
  const acl = 'ACL SETUSER gateway on >right ~waygate:* +@all';
  await redisCli(server.port, ...acl.split(' '));
  await writeFile(join(folder(), 'right'), 'right\n');
  await writeFile(join(folder(), 'wrong'), 'wrong');
  const checkFile = (passwordFile: string) =>
    check({ url: server.url.replace('//', '//gateway@'), passwordFile });
  expect(await checkFile('right')).toEqual([]);
  expect(await checkFile('wrong')).toEqual([expect.stringMatching(/^error: redis: .*: WRONGPASS/)]);
  expect(await checkFile('none')).toEqual([expect.stringMatching(/^error: redis: .*there is no such file/)]);
  const user = { url: server.url.replace('//', '//gateway@'), passwordFile: 'right' };
  expect(await check({ ...user, prefix: 'shop:' })).toEqual([
    expect.stringMatching(/^error: redis: .*NOPERM .*keys/),
  ]);
  const replica = await useServer('--replicaof', '127.0.0.1', String(server.port));
  await waitUntil(async () => (await redisCli(replica.port, 'INFO')).includes('master_link_status:up'));
  expect(await check(replica.url)).toEqual([expect.stringMatching(/^error: redis: .*read only replica/)]);
});

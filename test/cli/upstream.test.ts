import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSites } from '../../src/cli/config/gateway-settings.ts';
import { resolveConfig } from '../../src/cli/serve/resolve-config.ts';
import { createCertificate } from '../support/certificates.ts';
import { useFolder } from '../support/folder.ts';
import { runServer } from '../support/run.ts';
import type { TestServer } from '../support/server.ts';
import { useServeProcesses } from './serve-process.ts';

const SITE = 'http://example.com';
const folder = useFolder('file');

test('a token is read from the file that the environment names', async () => {
  const token = join(folder(), 'token');
  const config = join(folder(), 'waygate.yaml');
  await writeFile(token, 'the-token-of-the-file\n');
  await writeFile(config, `admin: { token: '\${TOKEN}' }\nsites: [{ url: ${SITE} }]\n`);
  const file = { WAYGATE_ADMIN_TOKEN_FILE: token };
  const tokenOf = async (env: Record<string, string>, path?: string): Promise<string | undefined> =>
    (await resolveConfig(path === undefined ? { site: [SITE] } : { site: [], config: path }, env)).admin
      .token;
  expect(await tokenOf(file)).toBe('the-token-of-the-file');
  const text = { ...file, WAYGATE_ADMIN_TOKEN: 'the-token-of-the-text\r\n' };
  expect(await tokenOf(text)).toBe('the-token-of-the-text');
  expect(await tokenOf({ ...file, TOKEN: 'the-token-of-the-config' }, config)).toBe(
    'the-token-of-the-config',
  );
  await expect(tokenOf({}, config)).rejects.toThrow('admin.token: the environment variable TOKEN is not set');
  await expect(tokenOf({ WAYGATE_ADMIN_TOKEN_FILE: join(folder(), 'none') })).rejects.toThrow(
    /WAYGATE_ADMIN_TOKEN_FILE: admin\.token: there is no such file/,
  );
});

describe('waygate serve', () => {
  const serve = useServeProcesses({ WAYGATE_UPSTREAM_AUTH: 'user:secret-of-staging' });
  const certificate = createCertificate({ name: 'www.example.com' });
  const received: (string | undefined)[] = [];
  let server: TestServer;
  let url = '';
  beforeAll(async () => {
    await writeFile(join(folder(), 'ca.pem'), certificate.cert);
    await writeFile(join(folder(), 'empty.pem'), 'nothing');
    server = await runServer(
      createServer(certificate, (request, response) => {
        received.push(request.headers.host, request.headers.authorization);
        response.end('ok');
      }),
    );
    url = `https://127.0.0.1:${server.port}`;
  });

  /** Writes a configuration with a CA file. @returns its path */
  async function configure(ca: string): Promise<string> {
    const upstream = { host: 'www.example.com', ca };
    const path = join(folder(), 'waygate.json');
    await writeFile(
      path,
      JSON.stringify({ sites: [{ url, discovery: 'off', passthrough: true, upstream }] }),
    );
    return path;
  }

  test('connects with the public name, a CA file and credentials that no line of its log contains', async () => {
    const gateway = await serve(['--config', await configure('ca.pem')]);
    expect(await (await fetch(`${gateway.url}/a`)).text()).toBe('ok');
    const basic = `Basic ${Buffer.from('user:secret-of-staging').toString('base64')}`;
    expect(received.slice(-2)).toEqual(['www.example.com', basic]);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exitCode).toBe(0);
    expect(JSON.stringify(gateway.logLines)).not.toMatch(/secret-of-staging|dXNlcjpzZWNyZXQ/);
  });

  test.each([
    ['that does not exist', 'absent.pem'],
    ['without a certificate', 'empty.pem'],
  ])('does not start with a CA file %s', async (_, name) => {
    const config = await resolveConfig({ site: [], config: await configure(name) }, {});
    await expect(readSites(config)).rejects.toThrow(/sites\[0\]\.upstream\.ca/);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/cli/serve/resolve-config.ts';
import { createCertificate } from '../support/certificates.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { useServeProcesses } from './serve-process.ts';

const SITE = 'http://example.com';

describe('the connections to a site', () => {
  test('have credentials from files that the environment names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waygate-config-'));
    await writeFile(join(folder, 'token'), 'the-token-of-the-file\n');
    await writeFile(
      join(folder, 'waygate.yaml'),
      `admin: { token: '\${TOKEN}' }\nsites: [{ url: ${SITE} }]\n`,
    );
    const file = { WAYGATE_ADMIN_TOKEN_FILE: join(folder, 'token') };
    const tokenOf = async (env: Record<string, string>, config?: string): Promise<string | undefined> =>
      (await resolveConfig({ site: config === undefined ? [SITE] : [], ...(config && { config }) }, env))
        .admin.token;
    expect(await tokenOf(file)).toBe('the-token-of-the-file');
    expect(await tokenOf({ ...file, WAYGATE_ADMIN_TOKEN: 'the-token-of-the-text\r\n' })).toBe(
      'the-token-of-the-text',
    );
    const config = join(folder, 'waygate.yaml');
    expect(await tokenOf({ ...file, TOKEN: 'the-token-of-the-config' }, config)).toBe(
      'the-token-of-the-config',
    );
    await expect(tokenOf({}, config)).rejects.toThrow(
      'admin.token: the environment variable TOKEN is not set',
    );
    const missing = { WAYGATE_ADMIN_TOKEN_FILE: join(folder, 'none') };
    await expect(tokenOf(missing)).rejects.toThrow(
      /WAYGATE_ADMIN_TOKEN_FILE: admin\.token: there is no such file/,
    );
    await rm(folder, { recursive: true });
  });
});

describe('waygate serve', () => {
  const serve = useServeProcesses({ WAYGATE_UPSTREAM_AUTH: 'user:secret-of-staging' });
  const certificate = createCertificate({ name: 'www.example.com' });
  const received: (string | undefined)[] = [];
  let server: TestServer;
  let folder = '';
  let url = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waygate-upstream-'));
    await writeFile(join(folder, 'ca.pem'), certificate.cert);
    await writeFile(join(folder, 'empty.pem'), 'nothing');
    server = await startServer(
      createServer(certificate, (request, response) => {
        received.push(request.headers.host, request.headers.authorization);
        response.end('ok');
      }),
    );
    url = `https://127.0.0.1:${server.port}`;
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** Writes a configuration with a CA file. @returns its path */
  async function configure(ca: string): Promise<string> {
    const upstream = { host: 'www.example.com', ca };
    const path = join(folder, 'waygate.json');
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
  ])('exits with a CA file %s', async (_, name) => {
    await expect(serve(['--config', await configure(name)])).rejects.toThrow('code 2');
  });
});

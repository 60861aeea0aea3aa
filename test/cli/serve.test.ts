import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServeFlags } from '../../src/base/option-types.ts';
import { silentLog } from '../../src/base/ports.ts';
import { createGatewayOptions, readSites } from '../../src/cli/config/gateway-settings.ts';
import { resolveConfig } from '../../src/cli/serve/resolve-config.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { discover } from '../../src/generator/discovery/index.ts';
import { stringifyDocument, toOpenApi } from '../../src/generator/openapi/index.ts';
import { openGateway } from '../../src/open-gateway.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { runServer } from '../support/run.ts';
import { unreachableOrigin } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { runCommand } from './run-command.ts';
import { MAIN, useReadyProcesses } from './serve-process.ts';

const serveReady = useReadyProcesses();
const isRefused = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );
const folder = useFolder();
let handleSlowRequest = (_end: () => void): void => {};
let content = '';

const site = useEchoSite((received, response) => {
  if (received.url.includes('slow')) handleSlowRequest(() => response.end('"done"'));
  else if (content !== '') response.end(JSON.stringify(content));
  else return false;
  return true;
});

/** @returns the `Cache-Status` of three responses */
async function readThrice(url: string): Promise<readonly (string | null)[]> {
  const statuses: (string | null)[] = [];
  for (let count = 0; count < 3; count++) {
    const response = await fetch(url);
    await response.text();
    statuses.push(response.headers.get('cache-status'));
  }
  return statuses;
}

/** Sends a request, and resolves when the site has received it. */
async function sendSlowRequest(
  url: string,
): Promise<{ readonly response: Promise<Response>; readonly finish: () => void }> {
  let response = Promise.resolve(Response.error());
  const finish = await new Promise<() => void>((resolve) => {
    handleSlowRequest = resolve;
    response = fetch(url);
  });
  return { response, finish };
}

describe('waygate serve', () => {
  test('reads a configuration file, which the command line overrides, caches and logs, discovers the site again on SIGHUP, and exits with 0 on SIGTERM', async () => {
    const file = join(folder(), 'waygate.yaml');
    const sites = `sites:\n  - name: blog\n    url: ${site.origin}\n    docs: /reference\n`;
    await writeFile(file, `port: 1\n${sites}`);
    const gateway = await serveReady('--config', file, '--rediscover', '1h');
    const { url, logLines } = gateway;
    expect((await fetch(`${url}/blog/reference`)).headers.get('content-type')).toContain('text/html');
    expect(await readThrice(`${url}/blog/core/v2/posts?page=2`)).toEqual([
      expect.stringMatching(/^waygate; fwd=uri-miss(?!; stored)/),
      'waygate; fwd=uri-miss; stored',
      expect.stringMatching(/^waygate; hit; ttl=\d+$/),
    ]);

    const response = await fetch(`${url}/blog/core/v2/posts/7?password=secret`);
    const id = response.headers.get('x-request-id');
    await response.text();
    await waitUntil(() => logLines.some(({ requestId }) => requestId === id));
    const line = logLines.find(({ requestId }) => requestId === id);
    expect(line).toMatchObject({
      ...{ msg: 'request', method: 'GET', path: '/blog/core/v2/posts/7', status: 200 },
      ...{ site: 'blog', operation: 'getPost', client: '127.0.0.1' },
    });
    expect(line?.['duration']).toBeGreaterThan(0);
    expect(JSON.stringify(logLines)).not.toContain('secret');

    gateway.child.kill('SIGHUP');
    await waitUntil(() => logLines.some(({ msg }) => msg === 'discovery found no change'));
    const slow = await sendSlowRequest(`${url}/blog/core/v2/posts/5?slow=1`);
    gateway.child.kill('SIGTERM');
    // The line 'stopping' precedes the closing of the port.
    await waitUntil(() => isRefused(`${url}/-/health`));
    // A reload is too late.
    gateway.child.kill('SIGHUP');
    slow.finish();
    expect(await (await slow.response).text()).toBe('"done"');
    expect(await gateway.exitCode).toBe(0);
  });

  test('exits at once on a second signal, and says how many requests it cut off', async () => {
    const gateway = await serveReady('--site', site.origin);
    const { response } = await sendSlowRequest(`${gateway.url}/wp-json/slow`);
    gateway.child.kill('SIGINT');
    await waitUntil(() => gateway.logLines.some(({ msg }) => msg === 'stopping'));
    gateway.child.kill('SIGTERM');
    expect(await gateway.exitCode).toBe(0);
    expect((await response).status).toBe(503);
    // The client may read its response after the time that it has for that.
    const outcomes = [
      { msg: 'request', status: 503, failure: 'shutdown' },
      { msg: 'requests were cut off: a second signal', requests: 1 },
    ].map((line) => expect.objectContaining(line) as unknown);
    expect(gateway.logLines).toEqual(expect.arrayContaining(outcomes));
  });

  test('uses a stored document while discovery fails', async () => {
    const document = join(folder(), 'document.json');
    await writeFile(document, stringifyDocument(toOpenApi(await discover(site.origin)).document));
    const open = async (flags: Partial<ServeFlags>): Promise<Gateway> => {
      const config = await resolveConfig({ site: [], document, ...flags }, {});
      const sites = await readSites(config);
      const gateway = openGateway(createGatewayOptions(config, sites, 'off', silentLog));
      closeAfterTest(() => gateway.stop());
      await gateway.rediscover();
      return gateway;
    };
    const read = async (gateway: Gateway, path: string): Promise<Response> =>
      gateway.fetch(new Request(`http://gateway.example.com${path}`));
    // The document contains the URL of the site, which is up.
    const away = await open({ site: [await unreachableOrigin()] });
    expect((await read(away, '/openapi.json')).status).toBe(200);
    expect((await read(away, '/core/v2/posts')).status).toBe(200);
    // The document alone is enough.
    const alone = await open({ discovery: 'off' });
    expect((await read(alone, '/-/ready')).status).toBe(200);
    expect((await read(alone, '/core/v2/posts')).status).toBe(200);
    // The document that a gateway serves needs the URL of the site.
    await writeFile(document, await (await read(alone, '/openapi.json')).text());
    const told = await open({ site: [site.origin], discovery: 'off' });
    expect((await read(told, '/core/v2/posts')).status).toBe(200);
  });

  test('after an upgrade purges nothing, and after a kill of the new version everything, twice: the site may run a write meanwhile', async () => {
    const purges: unknown[] = [];
    const receiver = await runServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      request.on('end', () => {
        const { everything, tags } = JSON.parse(text);
        purges.push(everything ? 'everything' : tags);
        response.end();
      });
    });
    const file = join(folder(), 'waygate.json');
    const notify = [{ to: 'webhook', url: receiver.origin, secret: 'a-secret-of-the-tests' }];
    const admin = { token: 'a-token-of-the-tests' };
    const cache = { rules: [{ match: '/core/v2/*', ttl: '1h' }] };
    const sites = [{ url: site.origin, cache }];
    await writeFile(file, JSON.stringify({ state: folder(), admin, notify, sites }));
    await writeFile(join(folder(), 'document.json'), 'of an earlier version');
    const purge = async ({ url }: { readonly url: string }, tag: string): Promise<void> => {
      const headers = { authorization: `Bearer ${admin.token}` };
      const body = JSON.stringify({ tags: [tag] });
      expect((await fetch(`${url}/-/purge`, { method: 'POST', headers, body })).status).toBe(200);
    };
    const old = await serveReady('--config', file);
    const isNamed = ({ files }: Record<string, unknown>): boolean => String(files).includes('document.json');
    await waitUntil(() => old.logLines.some(isNamed));
    const next = await serveReady('--config', file);
    await purge(next, 'first');
    await waitUntil(() => purges.length === 1);
    expect(purges).toEqual([['first']]);
    old.child.kill('SIGTERM');
    await old.exitCode;
    next.child.kill('SIGKILL');
    await next.exitCode;
    const { url } = await serveReady('--config', file);
    const read = async (): Promise<unknown> => (await fetch(`${url}/core/v2/posts/1`)).json();
    content = 'before';
    expect([await read(), await read()]).toEqual(['before', 'before']);
    content = 'after';
    expect(await read()).toBe('before');
    await waitUntil(async () => (await read()) === 'after');
    await waitUntil(() => purges[1] === 'everything');
    content = '';
  });

  test.skipIf(spawnSync('script', ['--version']).status !== 0)(
    'tells a person at a terminal what is on',
    async () => {
      const command = `exec ${process.execPath} ${MAIN} serve --port 0 --site ${site.origin}`;
      const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: 'pipe' });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk;
      });
      await waitUntil(() => output.includes('console '));
      const [url = ''] = /(?<=waygate listens at )\S+/.exec(output) ?? [];
      expect(output).toContain('cache        memory');
      expect((await fetch(`${url}/-/health`)).status).toBe(200);
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    },
  );

  test('exits with 2 and says what to do when the unit of an earlier version starts it', async () => {
    const env = { WATCHDOG_PID: String(process.pid), WATCHDOG_USEC: '30000000' };
    const { code, err } = await runCommand(['serve', '--site', site.origin, '--port', '0'], { env });
    expect([code, err]).toEqual([2, expect.stringContaining('Install deploy/systemd/waygate@.service')]);
  });
});

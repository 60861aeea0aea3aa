import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { startServer } from '../../support/server.ts';
import { expectSumsOfLog } from '../../support/sums.ts';
import { waitUntil, waitUntilClosed, waitUntilStable } from '../../support/wait.ts';
import { useProxy } from './serve-proxy.ts';

/** What a client does with the site when it is interrupted, and at which path. */
const PATHS = {
  upload: '/upload',
  wait: '/wait',
  download: '/download',
  'unread download': '/download',
  'event stream': '/events',
  'event stream of a write': '/events?write',
} as const;
type Activity = keyof typeof PATHS;
const ACTIVITIES = Object.keys(PATHS).filter((name): name is Activity => name in PATHS);

/** Few of them fill what the system has room for. */
const CHUNK = Buffer.alloc(4_000_000);

/** Starts a site whose responses have no end. */
async function startEndlessSite() {
  const open = new Map<ServerResponse, string>();
  let written = 0;
  let refreshes = 0;
  const download = (response: ServerResponse): void => {
    const send = (): void => {
      written += CHUNK.length;
      response.write(CHUNK);
      response.once('drain', () => setTimeout(send, 10));
    };
    send();
  };
  const server = createServer((request, response) => {
    const { url = '' } = request;
    open.set(response, url);
    if (request.headers['if-none-match'] !== undefined) refreshes += 1;
    response.on('close', () => open.delete(response));
    if (url === PATHS.upload) request.resume();
    else if (url === '/quick') response.end('quick');
    else if (url === '/stored') {
      if (request.headers['if-none-match'] === undefined)
        response
          .writeHead(200, { 'cache-control': 'max-age=0, stale-while-revalidate=600', etag: '"1"' })
          .end('stored');
    } else if (url === PATHS.download) download(response);
    else if (url.startsWith(PATHS['event stream']))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
  });
  const { close, origin } = await startServer(server);
  return {
    origin,
    close,
    /** Requests that it works on, by path. */
    countOpen: (activity: Activity): number =>
      [...open.values()].filter((path) => path === PATHS[activity]).length,
    /** Bytes of downloads so far. */
    countWritten: () => written,
    /** Requests to confirm a stored response, which are never answered. */
    countRefreshes: () => refreshes,
    /** Ends all responses as they should end. */
    finish(): void {
      for (const each of open.keys()) each.end();
    },
  };
}

function formatRequest(activity: Activity): string {
  const path = PATHS[activity];
  const rest = activity === 'upload' ? 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n' : '\r\n';
  const method = activity === 'upload' || activity === 'event stream of a write' ? 'POST' : 'GET';
  return `${method} ${path} HTTP/1.1\r\nHost: a\r\n${rest}`;
}

function beginActivity(url: string, activity: Activity) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (activity === 'unread download') socket.pause();
    })
    .on('close', () => {
      isClosed = true;
    });
  socket.write(formatRequest(activity));
  return {
    received: (): string => received,
    isClosed: (): boolean => isClosed,
    leave: {
      RST: () => void socket.resetAndDestroy(),
      FIN: () => void socket.end(),
      // The system closes the sockets of a process, whatever they have received.
      kill: (): void => {
        socket.pause();
        setTimeout(() => socket.destroy(), 50);
      },
      silence: () => void socket.pause(),
    },
  };
}

const site = await startEndlessSite();
afterAll(site.close);

const start = useProxy(() => site.origin);

const IDLE = 600;
/** Longer than a test may take. */
const LONG = 600_000;

/** Starts a gateway, and begins an activity. Resolves when the site works on it, and, of a download, when that has stalled or runs. */
async function begin(activity: Activity, idleTimeout: number, options: Parameters<typeof start>[0] = {}) {
  // A write outlives its client where responses are stored.
  const cache = activity === 'event stream of a write' ? 'memory' : 'off';
  const proxy = await start({ cache, shutdownGrace: 100, ...options }, { server: { idleTimeout } });
  const client = beginActivity(proxy.origin, activity);
  await waitUntil(() => site.countOpen(activity) === 1);
  if (activity === 'unread download') await waitUntilStable(site.countWritten);
  else if (activity !== 'upload' && activity !== 'wait') await waitUntil(() => client.received() !== '');
  return { client, proxy };
}

describe('a client that goes away ends its request to the site, and is logged with 499', () => {
  // The system ends the connections of a killed process by one of both.
  const cases = ACTIVITIES.flatMap((activity) => (['RST', 'FIN'] as const).map((way) => ({ activity, way })));

  test.each(cases)('$activity: $way', async ({ activity, way }) => {
    const { client, proxy } = await begin(activity, LONG);
    client.leave[way]();
    await waitUntil(() => site.countOpen(activity) === 0 && proxy.lines.length > 0);
    expect(proxy.lines).toMatchObject([{ msg: 'request', status: 499 }]);
    expect(proxy.lines[0]).not.toHaveProperty('failure');
    await expectSumsOfLog(proxy);
  });

  // A client may be silent while it waits, and nothing tells that it does not read what the system has room for.
  test('upload and downloads: silence', async () => {
    const begun = await Promise.all(
      (['upload', 'download'] as const).map(async (activity) => {
        const { client, proxy } = await begin(activity, IDLE);
        client.leave.silence();
        return { activity, proxy };
      }),
    );
    for (const { activity, proxy } of begun) {
      await waitUntil(() => site.countOpen(activity) === 0 && proxy.lines.length > 0);
      expect(proxy.lines).toMatchObject([{ msg: 'request', status: 499 }]);
      expect(proxy.lines[0]).not.toHaveProperty('failure');
    }
  });
});

describe('a stop', () => {
  const isUnanswered = (activity: Activity): boolean => activity === 'upload' || activity === 'wait';

  test.each(ACTIVITIES)('cuts off after its grace, and logs it: %s', async (activity) => {
    const { client, proxy } = await begin(activity, LONG, { shutdownGrace: 50 });
    await proxy.stop();
    await waitUntil(() => site.countOpen(activity) === 0);
    expect(proxy.lines).toMatchObject([
      { msg: 'request', failure: 'shutdown', status: 503, sent: isUnanswered(activity) ? 503 : 200 },
      { msg: 'requests were cut off: shutdownGrace has passed', requests: 1 },
    ]);
    await expectSumsOfLog(proxy);
    if (activity === 'unread download') return;
    await waitUntil(client.isClosed);
    if (!isUnanswered(activity)) return;
    expect(client.received()).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n.*gateway_stopping/is);
  });

  test.each(ACTIVITIES)('waits in its grace: %s', async (activity) => {
    const { client, proxy } = await begin(activity, LONG, { shutdownGrace: 30_000 });
    const stopped = proxy.stop();
    await waitUntilClosed(proxy.port);
    expect(site.countOpen(activity)).toBe(1);
    if (activity === 'unread download') client.leave.kill();
    else site.finish();
    await stopped;
    if (activity === 'unread download') expect(proxy.lines).toMatchObject([{ status: 499 }]);
    else expect(proxy.lines).toMatchObject([{ status: 200 }]);
    expect(proxy.lines[0]).not.toHaveProperty('failure');
  });

  test('serves everything for `shutdownDelay`, while it is not ready, and then closes its port', async () => {
    const { origin: url, stop } = await start({ shutdownDelay: 2_000 });
    const stopped = stop();
    expect((await fetch(`${url}/-/ready`)).status).toBe(503);
    const served = await fetch(`${url}/quick`);
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'keep-alive']);
    await stopped;
    await expect(fetch(`${url}/quick`)).rejects.toThrow();
  });

  test('does not wait longer for a refresh in the background than its grace', async () => {
    const { origin: url, stop } = await start({ cache: 'memory', shutdownGrace: 50 });
    await (await fetch(`${url}/stored`)).text();
    expect(await (await fetch(`${url}/stored`)).text()).toBe('stored');
    await waitUntil(() => site.countRefreshes() === 1);
    // The site does not answer, and the time limit of its responses is longer than that of this test.
    await stop();
  });
});

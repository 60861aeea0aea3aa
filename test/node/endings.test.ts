import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CertificateFolder, writeCertificate } from '../support/certificates.ts';
import { FRAME } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait.ts';
import {
  ACTIVITIES,
  type Activity,
  beginHttp1,
  beginHttp2,
  type EndlessSite,
  startEndlessSite,
  type Way,
} from './endings.ts';
import { useProxies } from './serve-proxy.ts';

let site: EndlessSite;
let files: CertificateFolder;

beforeAll(async () => {
  files = await writeCertificate('127.0.0.1');
  site = await startEndlessSite();
});
afterAll(async () => {
  await site.close();
  await files.remove();
});

const proxies = useProxies(() => site.origin);
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1 over TLS', 'HTTP/2'] as const;
type Version = (typeof VERSIONS)[number];

const IDLE = 600;
/** Longer than a test may take. */
const LONG = 600_000;

/** Starts a gateway, and begins an activity. Resolves when the site works on it, and, of a download, when that has stalled or runs. */
async function begin(
  version: Version,
  activity: Activity,
  idleTimeout: number,
  way: Way,
  options: Parameters<typeof proxies.start>[0] = {},
) {
  const tls = version === 'HTTP/1.1' ? {} : { tls: { certificates: [files] } };
  const proxy = await proxies.start(
    { ...tls, idleTimeout, shutdownGrace: 100, ...options },
    { webSockets: { idleTimeout } },
  );
  const client =
    version === 'HTTP/2'
      ? beginHttp2(proxy.url, activity, way === 'RST_STREAM')
      : beginHttp1(proxy.url, activity);
  await waitUntil(() => site.countOpen(activity) === 1);
  if (activity === 'unread download') await waitUntilStalled();
  else if (activity !== 'upload' && activity !== 'wait') await waitUntil(() => client.received() !== '');
  return { client, proxy };
}

async function waitUntilStalled(): Promise<void> {
  let before = -1;
  await waitUntil(async () => {
    const isStalled = site.countWritten() === before;
    before = site.countWritten();
    await new Promise((resolve) => setTimeout(resolve, 60));
    return isStalled;
  });
}

const hasActivity = (version: Version, activity: Activity): boolean =>
  version !== 'HTTP/2' || activity !== 'WebSocket';

describe('a client that goes away ends its request to the site, and is logged with 499', () => {
  const WAYS: readonly Way[] = ['RST', 'FIN', 'kill', 'silence', 'RST_STREAM', 'GOAWAY'];
  const cases = VERSIONS.flatMap((version) =>
    ACTIVITIES.filter((activity) => hasActivity(version, activity)).flatMap((activity) =>
      WAYS.filter((way) => isPossible(version, activity, way)).map((way) => ({ version, activity, way })),
    ),
  );

  /** A client may be silent while it waits, and nothing tells that it does not read what the system has room for. */
  function isPossible(version: Version, activity: Activity, way: Way): boolean {
    if (way === 'silence') return activity !== 'wait' && activity !== 'event stream';
    return version === 'HTTP/2' || (way !== 'RST_STREAM' && way !== 'GOAWAY');
  }

  test.each(cases)('$version, $activity: $way', async ({ activity, version, way }) => {
    const { client, proxy } = await begin(version, activity, way === 'silence' ? IDLE : LONG, way);
    client.leave[way]?.();
    await waitUntil(() => site.countOpen(activity) === 0 && proxy.lines.length > 0);
    expect(proxy.lines).toMatchObject([{ msg: 'request', status: activity === 'WebSocket' ? 101 : 499 }]);
    expect(proxy.lines[0]).not.toHaveProperty('failure');
  });
});

test.each(VERSIONS)(
  'a client that leaves an event stream that answers its write ends it: %s',
  async (version) => {
    const tls = version === 'HTTP/1.1' ? {} : { tls: { certificates: [files] } };
    const { lines, url } = await proxies.start({ ...tls, cache: 'memory' });
    const begin = version === 'HTTP/2' ? beginHttp2 : beginHttp1;
    const client = begin(url, 'event stream of a write');
    await waitUntil(() => client.received() !== '');
    client.leave.RST?.();
    await waitUntil(() => site.countOpen('event stream of a write') === 0 && lines.length > 0);
    expect(lines).toMatchObject([{ method: 'POST', status: 499 }]);
  },
);

describe('a stop', () => {
  const cases = VERSIONS.flatMap((version) =>
    ACTIVITIES.filter((activity) => hasActivity(version, activity)).map((activity) => ({
      version,
      activity,
    })),
  );
  const TOKEN = 'the-token-of-the-tests';
  const isUnanswered = (activity: Activity): boolean => activity === 'upload' || activity === 'wait';

  test.each(cases)(
    'cuts off after its grace, and logs it: $version, $activity',
    async ({ activity, version }) => {
      const { client, proxy } = await begin(version, activity, LONG, 'silence', { shutdownGrace: 300 });
      await proxy.stop();
      await waitUntil(() => site.countOpen(activity) === 0);
      expect(proxy.lines).toMatchObject([
        {
          msg: 'request',
          failure: 'shutdown',
          status: activity === 'WebSocket' ? 101 : 503,
          sent: activity === 'WebSocket' ? 101 : isUnanswered(activity) ? 503 : 200,
        },
        { msg: 'requests were cut off: shutdownGrace has passed', requests: 1 },
      ]);
      if (activity === 'unread download') return;
      await waitUntil(client.isClosed);
      if (isUnanswered(activity)) expect(client.received()).toContain('gateway_stopping');
      if (version !== 'HTTP/2') {
        if (isUnanswered(activity))
          expect(client.received()).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n/is);
        return;
      }
      const has = (type: number): boolean => client.frames.some((frame) => frame.type === type);
      expect(has(FRAME.goaway)).toBe(true);
      expect(has(FRAME.reset)).toBe(!isUnanswered(activity));
    },
  );

  test.each(cases)('waits in its grace: $version, $activity', async ({ activity, version }) => {
    const { client, proxy } = await begin(version, activity, LONG, 'silence', { shutdownGrace: 30_000 });
    const stopped = proxy.stop();
    await sleep(100);
    expect(site.countOpen(activity)).toBe(1);
    if (activity === 'unread download') client.leave.kill?.();
    else site.finish();
    await stopped;
    if (activity === 'unread download') expect(proxy.lines).toMatchObject([{ status: 499 }]);
    else expect(proxy.lines).toMatchObject([{ status: activity === 'WebSocket' ? 101 : 200 }]);
    expect(proxy.lines[0]).not.toHaveProperty('failure');
  });

  test('serves everything for `shutdownDelay`, while it is not ready, and then closes its port', async () => {
    const { url, stop } = await proxies.start({ shutdownDelay: 500, admin: { token: TOKEN } });
    const stopped = stop();
    expect((await fetch(`${url}/-/ready`)).status).toBe(503);
    const served = await fetch(`${url}/quick`);
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'keep-alive']);
    await stopped;
    await expect(fetch(`${url}/quick`)).rejects.toThrow();
  });

  test('cuts off at once when it is told to, and says how much', async () => {
    const { client, proxy } = await begin('HTTP/1.1', 'event stream', LONG, 'silence', {
      shutdownGrace: 60_000,
    });
    const stopped = proxy.stop();
    expect(await proxy.cutOff()).toBe(1);
    await stopped;
    expect(client.isClosed()).toBe(true);
    expect(proxy.lines).toMatchObject([{ msg: 'request', failure: 'shutdown', status: 503 }]);
  });

  test('does not wait longer for a refresh in the background than its grace', async () => {
    const { stop, url } = await proxies.start({ cache: 'memory', shutdownGrace: 300 });
    await (await fetch(`${url}/stored`)).text();
    expect(await (await fetch(`${url}/stored`)).text()).toBe('stored');
    await waitUntil(() => site.countRefreshes() === 1);
    // The site does not answer, and the time limit of its responses is longer than that of this test.
    await stop();
  });
});

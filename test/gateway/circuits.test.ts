import { describe, expect, test } from 'vitest';
import { closeAfterTest } from '../support/close-after-test.ts';
import { ADAPTERS, type RunningGateway } from '../support/gateway.ts';
import { findFreePort, startServer } from '../support/server.ts';
import { startStubSite } from '../support/stub-site.ts';

const token = 'the-token-of-the-tests';
const headers = { authorization: `Bearer ${token}` };

/** Starts a site that closes the connection of each request for `/broken/…`, and a gateway with a store in front of it. */
async function startGatewayFor(start: (typeof ADAPTERS)[string]): Promise<RunningGateway> {
  const site = await startServer((incoming, outgoing) => {
    if (incoming.url?.startsWith('/broken/') === true) incoming.socket.destroy();
    else outgoing.end('fine');
  });
  const running = await start({
    sites: [{ name: 'site', url: site.origin, discovery: 'off', passthrough: true }],
    cache: 'memory',
    admin: { token },
  });
  closeAfterTest(site.close, running.stop);
  return running;
}

describe.each(Object.entries(ADAPTERS))('behind %s', (_name, start) => {
  test('a path whose connection breaks 25 times stops neither the site nor itself', async () => {
    const { request } = await startGatewayFor(start);
    for (let time = 0; time < 25; time += 1) await (await request('/site/broken/path')).text();
    expect(await (await request('/site/broken/path')).json()).toMatchObject({ code: 'gateway_broken' });
    const other = await request('/site/other');
    expect([other.status, await other.text()]).toEqual([200, 'fine']);
    const { circuit } = await (await request('/-/sites/site', { headers })).json();
    expect(circuit).toEqual({ reason: null, unreachableSince: null });
    const metrics = await (await request('/-/metrics', { headers })).text();
    expect(metrics).toContain('\nwaygate_site_circuit_open{site="site"} 0\n');
  });

  // nginx's limit_req answers 503 unless limit_req_status is set.
  test('a client that the site limits with 503 stops no read of others', async () => {
    const site = await startStubSite({
      intercept({ headers: sent }, response) {
        if (sent.cookie === undefined) return false;
        response.writeHead(503).end('limited');
        return true;
      },
    });
    const { request, stop } = await start({
      sites: [{ name: 'site', url: site.url, passthrough: true }],
      cache: 'memory',
      admin: { token },
    });
    closeAfterTest(site.close, stop);
    const limited = { headers: { cookie: 'session=1' } };
    for (let time = 0; time < 40; time += 1)
      expect(await (await request(`/site/shop/cat/${time}`, limited)).text()).toBe('limited');
    const { circuit } = await (await request('/-/sites/site', { headers })).json();
    expect(circuit).toMatchObject({ reason: null });
  });

  test('the log has one line when the site goes away, and one when it is back', async () => {
    const port = await findFreePort();
    const lines: object[] = [];
    const write = (fields: object, message: string): void => {
      if (message.startsWith('the site is ')) lines.push({ ...fields, message });
    };
    const { request, stop } = await start({
      sites: [{ name: 'site', url: `http://127.0.0.1:${port}`, discovery: 'off', passthrough: true }],
      cache: 'memory',
      log: { info: write, warn: write, error: write },
    });
    closeAfterTest(stop);
    for (let time = 0; time < 40; time += 1) await (await request('/site/path')).text();
    const away = { site: '/site', reason: 'connections fail', message: 'the site is away' };
    expect(lines).toEqual([away]);

    closeAfterTest((await startServer((_, outgoing) => outgoing.end('fine'), { port })).close);
    await expect.poll(async () => (await request('/site/path')).status).toBe(200);
    const back = { site: '/site', away: expect.any(Number), message: 'the site is back' };
    expect(lines).toEqual([away, back]);
  });
});

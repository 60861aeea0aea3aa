import { describe, expect, test } from 'vitest';
import { ADAPTERS } from '../support/gateway.ts';
import { PLAIN, runGateway, runServer } from '../support/run.ts';
import { findFreePort } from '../support/server.ts';

const admin = { token: 'the-token-of-the-tests' };
const headers = { authorization: `Bearer ${admin.token}` };

describe.each(Object.entries(ADAPTERS))('behind %s', (_name, start) => {
  test.each([
    ['a path whose connection breaks', '/site/broken/path', {}],
    // nginx's limit_req answers 503 unless limit_req_status is set.
    ['a client that the site limits with 503', '/site/path', { cookie: 'session=1' }],
  ])('%s 40 times does not open the circuit of the site', async (_, path, sent) => {
    const site = await runServer((incoming, outgoing) => {
      if (incoming.url === '/broken/path') incoming.socket.destroy();
      else outgoing.writeHead(incoming.headers.cookie === undefined ? 200 : 503).end('fine');
    });
    const options = { cache: 'memory', admin } as const;
    const { request } = await runGateway({ name: 'site', url: site.origin, ...PLAIN }, options, start);
    const statuses = new Set<number>();
    for (let time = 0; time < 40; time += 1) {
      const response = await request(path, { headers: sent });
      await response.text();
      statuses.add(response.status);
    }
    expect([...statuses]).toEqual([path === '/site/path' ? 503 : 502]);
    expect(await (await request('/site/other')).text()).toBe('fine');
    const { circuit } = await (await request('/-/sites/site', { headers })).json();
    expect(circuit).toEqual({ reason: null, unreachableSince: null });
    const metrics = await (await request('/-/metrics', { headers })).text();
    expect(metrics).toContain('\nwaygate_site_circuit_open{site="site"} 0\n');
  });

  test('the log has one line when the site goes away, and one when it is back', async () => {
    const port = await findFreePort();
    const lines: object[] = [];
    const write = (fields: object, message: string): void => {
      if (message.startsWith('the site is ')) lines.push({ ...fields, message });
    };
    const { request } = await runGateway(
      { name: 'site', url: `http://127.0.0.1:${port}`, ...PLAIN },
      { cache: 'memory', log: { info: write, warn: write, error: write } },
      start,
    );
    for (let time = 0; time < 40; time += 1) await (await request('/site/path')).text();
    const away = { site: '/site', reason: 'connections fail', message: 'the site is away' };
    expect(lines).toEqual([away]);

    await runServer((_, outgoing) => outgoing.end('fine'), { port });
    await expect.poll(async () => (await request('/site/path')).status).toBe(200);
    const back = { site: '/site', away: expect.any(Number), message: 'the site is back' };
    expect(lines).toEqual([away, back]);
  });
});

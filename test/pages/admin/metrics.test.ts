import { Agent, request as sendRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../src/gateway/node/index.ts';
import { type EchoSite, startEchoSite } from '../../support/echo-site.ts';
import { createSettledGateway, type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { unreachableOrigin } from '../../support/server.ts';

const token = 'the-token-of-the-tests';
const headers = { authorization: `Bearer ${token}` };

describe('the metrics behind a gateway', () => {
  let site: EchoSite;
  let running: RunningGateway;

  async function metrics(): Promise<readonly string[]> {
    const response = await running.request('/-/metrics', { headers });
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    return (await response.text()).split('\n');
  }

  beforeAll(async () => {
    site = await startEchoSite();
    running = await startNodeGateway({
      sites: [
        { name: 'kept', url: site.origin, validation: { mode: 'strict' } },
        { name: 'passed', url: site.origin, cache: 'off', validation: { mode: 'observe' } },
      ],
      cache: 'memory',
      admin: { token },
    });
    for (const path of [
      '/kept/core/v2/posts',
      '/kept/core/v2/posts',
      '/kept/core/v2/posts?page=x',
      '/passed/core/v2/posts?page=x',
    ]) {
      await (await running.request(path)).text();
    }
  });
  afterAll(async () => {
    await running.stop();
    await site.close();
  });

  test('have the durations of requests, and of those to the site: histograms by site, sums and numbers by operation', async () => {
    const labels = 'site="kept",http_request_method="GET",http_route="/core/v2/posts"';
    await expect
      .poll(metrics)
      .toEqual(
        expect.arrayContaining([
          'http_server_request_duration_seconds_bucket{site="kept",le="10"} 3',
          'http_server_request_duration_seconds_bucket{site="kept",le="+Inf"} 3',
          'http_client_request_duration_seconds_count{site="kept"} 1',
          `waygate_operation_duration_seconds_count{${labels},status="2xx",cache="hit"} 1`,
          `waygate_operation_duration_seconds_count{${labels},status="2xx",cache="miss"} 1`,
          `waygate_operation_duration_seconds_count{${labels},status="4xx",cache="none"} 1`,
          `waygate_operation_upstream_duration_seconds_count{${labels},status="2xx"} 1`,
          `waygate_operation_duration_seconds_count{${labels.replace('kept', 'passed')},status="2xx",cache="bypass"} 1`,
        ]),
      );
    const own = 'site="",http_request_method="GET",http_route="gateway",status="2xx",cache="none"';
    const text = (await metrics()).join('\n');
    expect(text).toMatch(new RegExp(`^waygate_operation_duration_seconds_sum\\{${own}\\} \\d`, 'm'));
  });

  test('count what the site did not respond to, by kind of failure', async () => {
    const stopped = await startNodeGateway({
      sites: [{ url: await unreachableOrigin(), discovery: 'off', passthrough: true }],
      admin: { token },
    });
    for (const method of ['GET', 'POST']) expect((await stopped.request('/x', { method })).status).toBe(502);
    const response = await stopped.request('/-/metrics', { headers });
    const text = await response.text();
    expect(text).toContain('waygate_site_failures_total{site="default",kind="refused"} 2\n');
    for (const method of ['GET', 'POST'])
      expect(text).toContain(
        `waygate_operation_upstream_duration_seconds_count{site="default",http_request_method="${method}",http_route="pages",status="0xx"} 1\n`,
      );
    await stopped.stop();
  });

  test('contain the results of validation and the size of the store', async () => {
    const lines = await metrics();
    expect(lines).toEqual(
      expect.arrayContaining([
        'waygate_site_ready{site="kept"} 1',
        'waygate_validation_requests_total{site="kept",outcome="refused"} 1',
        'waygate_validation_requests_total{site="passed",outcome="forwarded"} 1',
        'waygate_cache_entries 1',
      ]),
    );
  });
});

test('a server reports its connections, its bytes and what its process uses', async () => {
  const site = await startEchoSite();
  const gateway = createSettledGateway({
    sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
    admin: { token },
  });
  const server = await serve({ gateway, port: 0 });
  const agent = new Agent({ keepAlive: true });
  const send = (path: string): Promise<string> =>
    new Promise((resolve) => {
      sendRequest(`${server.url}${path}`, { agent, headers }, async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
        resolve(text);
      }).end();
    });
  const scrape = async (): Promise<(name: string) => number> => {
    const text = await send('/-/metrics');
    const lines = new Map(text.split('\n').map((line) => [line.replace(/ .*/, ''), line.replace(/.* /, '')]));
    return (name) => Number(lines.get(name));
  };
  const before = await scrape();
  const body = await send('/x');
  const after = await scrape();
  expect(after('waygate_connections_open')).toBe(1);
  expect(after('waygate_connections_accepted_total')).toBe(1);
  // The scrape itself.
  expect(after('http_server_active_requests')).toBe(1);
  expect(after('waygate_response_body_bytes_total{site="default"}')).toBe(body.length);
  for (const direction of ['received', 'sent']) {
    const name = `waygate_network_bytes_total{direction="${direction}"}`;
    expect(after(name)).toBeGreaterThan(before(name));
  }
  // Without discovery, a site is never read.
  expect(after('waygate_site_discoveries_total{site="default",outcome="succeeded"}')).toBe(0);
  expect(after('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(Math.abs(after('process_start_time_seconds') - Date.now() / 1000)).toBeLessThan(3_600);
  await expect.poll(async () => (await scrape())('nodejs_eventloop_delay_seconds_count')).toBeGreaterThan(0);
  await expect.poll(async () => (await scrape())('process_max_fds')).toBeGreaterThan(0);
  agent.destroy();
  await server.stop();
  await site.close();
});

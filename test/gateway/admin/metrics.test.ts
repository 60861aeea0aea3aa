import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EchoSite, startEchoSite } from '../../support/echo-site.ts';
import { ADAPTERS, type RunningGateway } from '../../support/gateway.ts';

const token = 'the-token-of-the-tests';
const headers = { authorization: `Bearer ${token}` };

describe.each(Object.entries(ADAPTERS))('the metrics behind %s', (_name, start) => {
  let site: EchoSite;
  let running: RunningGateway;

  async function metrics(): Promise<readonly string[]> {
    const response = await running.request('/-/metrics', { headers });
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    return (await response.text()).split('\n');
  }

  beforeAll(async () => {
    site = await startEchoSite();
    running = await start({
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

  test('count responses by mount, class of status and cache result', async () => {
    await expect
      .poll(metrics)
      .toEqual(
        expect.arrayContaining([
          'waygate_requests_total{mount="/kept",status="2xx",cache="uri-miss"} 1',
          'waygate_requests_total{mount="/kept",status="2xx",cache="hit"} 1',
          'waygate_requests_total{mount="/kept",status="4xx",cache="none"} 1',
          'waygate_requests_total{mount="/passed",status="2xx",cache="bypass"} 1',
        ]),
      );
  });

  test('contain the results of validation and the size of the store', async () => {
    const lines = await metrics();
    expect(lines).toEqual(
      expect.arrayContaining([
        'waygate_site_ready{site="kept"} 1',
        'waygate_validation_verdicts_total{site="kept",outcome="not_forwarded"} 1',
        'waygate_validation_verdicts_total{site="passed",outcome="disagreed"} 1',
        'waygate_validation_rules_suspended{site="passed"} 1',
        'waygate_cache_entries 1',
      ]),
    );
  });

  test('have the format that Prometheus reads', async () => {
    const lines = (await metrics()).filter((line) => line !== '');
    const described = lines
      .filter((line) => line.startsWith('# TYPE'))
      .map((line) => line.split(' ')[2] ?? '');
    expect(new Set(described).size).toBe(described.length);
    for (const line of lines.filter((each) => !each.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_]+(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? [\d.]+$/);
      expect(described).toContain(/^[a-z_]+/.exec(line)?.[0]);
    }
  });

  test('need the token', async () => {
    expect((await running.request('/-/metrics')).status).toBe(401);
  });
});

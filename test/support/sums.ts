import { expect } from 'vitest';
import { readMetrics } from '../../src/gateway/report/metrics.ts';
import { readAlerts } from '../../src/gateway/report/remarks.ts';
import type { TestGateway } from './gateway.ts';
import { waitUntil } from './wait.ts';

type Sums = Readonly<Record<string, number>>;

/** Asserts that metrics and console count the requests of the log: by site and class of status, and their bytes. */
export async function expectSumsOfLog({ gateway: { context }, lines }: TestGateway): Promise<void> {
  const { parts, sites } = context;
  const counts: Record<string, number> = {};
  const add = (name: string, amount: number): void => {
    if (amount > 0) counts[name] = (counts[name] ?? 0) + amount;
  };
  const requests = (): typeof lines => lines.filter(({ msg }) => msg === 'request');
  const countAll = (): number =>
    [parts, ...sites.values()].reduce(
      (sum, { recorder }) => sum + recorder.traffic.readMinutes(5).requests,
      0,
    );
  await waitUntil(() => countAll() === requests().length);
  for (const { bytes, end, site, status } of requests()) {
    add(`${site ?? ''} ${end === 'client' ? '0' : Math.floor(Number(status) / 100)}xx`, 1);
    add(`${site ?? ''} bytes`, Number(bytes));
    add(`${site ?? ''} minutes`, 1);
  }
  const logged: Sums = { ...counts };
  for (const name of Object.keys(counts)) delete counts[name];
  const metrics = await readMetrics(parts, [...sites.values()], readAlerts({}));
  const samples =
    /^(?:waygate_operation_duration_seconds_count\{site="(.*?)".*,status="(.*?)".*\}|waygate_response_body_bytes_total\{site="(.*?)"\}) (\d+)$/gm;
  for (const [, site, status, ofBytes, amount] of metrics.matchAll(samples))
    add(site === undefined ? `${ofBytes} bytes` : `${site} ${status}`, Number(amount));
  for (const [name, { recorder }] of [['', parts] as const, ...sites])
    add(`${name} minutes`, recorder.traffic.readMinutes(5).requests);
  expect(counts).toEqual(logged);
}

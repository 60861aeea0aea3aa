import type { CacheStore } from '../../cache/store.ts';
import type { AdminOperation } from './admin-router.ts';
import { type RequestMetrics, siteMetricLines } from './request-metrics.ts';
import type { AdminSite } from './sites.ts';

/** `GET /-/metrics`, as Prometheus reads it. */
export function metricsOperation(
  requests: RequestMetrics,
  sites: ReadonlyMap<string, AdminSite>,
  store: CacheStore | null,
): AdminOperation {
  return {
    method: 'GET',
    path: '/-/metrics',
    access: 'token',
    respond() {
      const measured = Array.from(sites.values(), ({ mount, runtime, validation }) => ({
        mount,
        runtime,
        report: validation.report(runtime.snapshot),
      }));
      const lines = [...requests.lines(), ...siteMetricLines(measured, store?.stats() ?? null)];
      const headers = {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      };
      return new Response(`${lines.join('\n')}\n`, { headers });
    },
  };
}

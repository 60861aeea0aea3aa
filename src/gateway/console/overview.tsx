import type { ActionResult, ConsoleAction, ConsolePage } from '../../console/index.ts';
import {
  DrainQuestion,
  GatewayState,
  SiteList,
  type SiteOverview,
} from '../../console/pages/overview-page.tsx';
import { computeRate } from '../../console/traffic/traffic-figures.ts';
import { countOf } from '../../count-of.ts';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { ConsoleContext } from './console-context.ts';
import { readVersion } from './document.tsx';

/** The first page: all sites, and the gateway as a whole. */
export function createOverviewPage({ clock, drain, sites, toSiteUrl }: ConsoleContext): ConsolePage {
  return {
    path: '',
    async render(request) {
      const overviews = await Promise.all(
        Array.from(sites.values(), async (site) => describeSite(site, toSiteUrl(request.root, site.mount))),
      );
      return {
        title: 'Overview',
        tab: 'overview',
        sections: [
          {
            id: 'gateway',
            isLive: true,
            content: () => <GatewayState request={request} isDraining={drain.isDraining} />,
          },
          {
            id: 'sites',
            isLive: true,
            content: () => <SiteList request={request} sites={overviews} now={clock.now()} />,
          },
        ],
      };
    },
  };
}

const TRAFFIC_MINUTES = 10;

async function describeSite(site: MountedSite, url: string | null): Promise<SiteOverview> {
  const { caching, circuits, mount, recorder, runtime, validation } = site;
  const { lastDiscoveredAt, lastDiscoveryError, nextDiscoveryAt, snapshot } = runtime;
  const chart = recorder.traffic.read('10m');
  const { clientErrors, hitRatio, serverErrors } = chart.total;
  return {
    key: siteKey(site),
    title: snapshot?.documented?.title ?? siteKey(site),
    mount: mount === '' ? '/' : mount,
    url: site.url,
    state: snapshot === null ? 'not ready' : lastDiscoveryError === null ? 'ready' : 'stale',
    fault: lastDiscoveryError?.message ?? null,
    mountUrl: url === null ? null : `${url}/`,
    version: await readVersion(site),
    operations: snapshot?.operationCount ?? 0,
    lastDiscoveredAt,
    nextDiscoveryAt,
    diagnostics:
      snapshot?.diagnostics == null
        ? null
        : Object.entries(snapshot.diagnostics.counts).sort(([, one], [, other]) => other - one),
    validationMode: validation.mode,
    circuit: describeCircuits(circuits?.report()),
    traffic: {
      requestsPerMinute: computeRate(chart),
      clientErrors,
      isCached: caching !== null,
      hitRatio,
      serverErrors,
      minutes: TRAFFIC_MINUTES,
    },
  };
}

function describeCircuits(
  report: ReturnType<NonNullable<MountedSite['circuits']>['report']> | undefined,
): string | null {
  if (report === undefined) return null;
  if (report.state !== 'closed') {
    return `The circuit breaker stops requests to the site: ${report.reason ?? 'it tests the site'}.`;
  }
  return report.routeCount === 0
    ? null
    : `Circuit breakers stop the reads of ${countOf(report.routeCount, 'route')}.`;
}

/** Rediscovers and drains. */
export function createOverviewActions({ drain, sites }: ConsoleContext): readonly ConsoleAction[] {
  return [
    {
      name: 'rediscover',
      async run(form) {
        const key = form.get('site');
        const found = key === null ? undefined : findSiteByKey(sites, key);
        if (key !== null && found === undefined) return NO_SUCH_SITE;
        const discovered = found === undefined ? [...sites.values()] : [found];
        const results = await Promise.all(discovered.map(rediscover));
        return {
          result: results.every(({ isRead }) => isRead) ? 'done' : 'failed',
          target: found === undefined ? 'all sites' : `site ${siteKey(found)}`,
          notice: results.map(({ text }) => text).join(' '),
          page: '',
        };
      },
    },
    {
      name: 'drain',
      confirm: () => ({
        title: 'Drain this gateway?',
        content: <DrainQuestion />,
        button: 'Drain',
        page: '',
      }),
      run() {
        drain.isDraining = true;
        return { result: 'done', target: '', notice: 'The gateway is draining.', page: '' };
      },
    },
    {
      name: 'undrain',
      run() {
        drain.isDraining = false;
        return { result: 'done', target: '', notice: 'The gateway is back in service.', page: '' };
      },
    },
  ];
}

const NO_SUCH_SITE: ActionResult = {
  result: 'refused',
  target: '',
  notice: 'There is no such site.',
  page: '',
};

async function rediscover(site: MountedSite): Promise<{ readonly isRead: boolean; readonly text: string }> {
  const { runtime } = site;
  const versions = runtime.history.count;
  await site.rediscover();
  const key = siteKey(site);
  if (runtime.lastDiscoveryError !== null) return { isRead: false, text: `${key}: the discovery failed.` };
  const hasChanged = runtime.history.count > versions;
  return {
    isRead: true,
    text: `${key}: ${hasChanged ? 'the document has changed.' : 'nothing has changed.'}`,
  };
}

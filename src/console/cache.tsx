import { formatNumber } from '../count-of.ts';
import { EVICTION_MESSAGE, SHARED_STORE_MESSAGES, siteKey } from '../gateway/admin/site-operations.ts';
import type { SiteCaching } from '../gateway/caching/site-caching.ts';
import type { MountedSite } from '../gateway/mounted-site.ts';
import type { GatewayStatus } from '../gateway/process-status.ts';
import { formatBytes, formatShare } from '../ui/format.ts';
import type { Html } from '../ui/page.tsx';
import { explain, explainForm, explanation } from './explain.tsx';
import { figure, note, toQueryUrl } from './layout.tsx';
import { getOperations } from './operations.ts';
import { type ConsoleContext, type ConsolePage, createSitePage, liveSection, section } from './page.ts';
import { purgeForm } from './purge.tsx';

/** What the store of a site has saved, what the gateway does with an address, and purges. */
export function createCachePage(context: ConsoleContext): ConsolePage {
  return createSitePage(context, 'cache', 'Cache', async (site, request) => {
    const { query } = request;
    const { caching, mountPath } = site;
    const address = query.get('address') ?? '';
    const example = findExampleRoute(site);
    const toPurgeUrl = (kind: string, value: string): string => `${toQueryUrl(query, { kind, value })}#purge`;
    const input = { text: address, consoleAddress: request.client };
    const explained =
      address === ''
        ? null
        : explanation(await explain(context, site, request, input), toPurgeUrl('address', address));
    const explainSection = section('explain', 'Explain an address', () => (
      <>
        {explainForm(address, `${mountPath}${example}`)}
        {explained}
      </>
    ));
    if (caching === null) {
      return [section('store', '', () => <p>Nothing of this site is cached.</p>), explainSection];
    }
    return [
      liveSection('store', '', () => storeSummary(context, site, caching)),
      explainSection,
      section('purge', 'Purge', () => purgeForm(request, siteKey(site), example)),
    ];
  });
}

/** A route that can be read as it is: `/wp/v2/posts`. */
function findExampleRoute({ runtime }: MountedSite): string {
  const operations = [...getOperations(runtime.snapshot).values()];
  const reads = operations.filter(({ operation }) => operation.method === 'GET' && isRoute(operation.path));
  const posts = reads.find(({ operation }) => operation.path.endsWith('/posts'));
  return (posts ?? reads.at(-1))?.operation.path ?? '/';
}

/** Whether a name is the route of one resource, and no template. */
function isRoute(name: string): boolean {
  return /^\/[^{}]*$/.test(name);
}

function storeSummary(
  { readGateway }: ConsoleContext,
  { recorder }: MountedSite,
  { writes: { counts } }: SiteCaching,
): Html {
  const { bytes = 0, maxBytes = 0, responseCount = 0 } = readGateway().store ?? {};
  const { hitRatio, outcomes, upstream } = recorder.traffic.read('6h').total;
  const reads = outcomes.hit + outcomes.stale + outcomes.miss;
  // A request that bypasses the store is one request at the site, so the others are for reads that may use it.
  const siteRequests = Math.max(0, upstream.requests - outcomes.bypass);
  const share = formatShare(maxBytes === 0 ? null : bytes / maxBytes);
  return (
    <>
      <dl class="figures">
        {figure(
          'Hits',
          formatShare(hitRatio),
          `of ${formatNumber(reads)} reads in six hours that may use the store`,
        )}
        {figure(
          'Requests at the site per read',
          reads === 0 ? '–' : (siteRequests / reads).toFixed(2),
          `${formatNumber(siteRequests)} requests, with background refreshes`,
        )}
        {figure('Memory', formatBytes(bytes), `of ${formatBytes(maxBytes)} (${share}), all sites`)}
        {figure('Responses', formatNumber(responseCount), 'stored, of all sites')}
        {figure(
          'Writes',
          formatNumber(counts.everything + counts.named + counts.nothing),
          `through the gateway: ${formatNumber(counts.everything)} purged everything, ${formatNumber(counts.nothing)} nothing`,
        )}
      </dl>
      {sharedStoreNote(readGateway())}
      {readGateway().shared === null ? null : (
        <p>
          The store is shared: this page shows the memory of this gateway, and a purge concerns all of them.
        </p>
      )}
    </>
  );
}

/** Says what the gateway does while it cannot use the store that it shares with others; `null` while it can. */
export function sharedStoreNote({ shared }: Pick<GatewayStatus, 'shared'>): Html | null {
  const { mayEvictPurges = false, state = 'connected' } = shared ?? {};
  if (state !== 'connected') return note(SHARED_STORE_MESSAGES[state]);
  return note(mayEvictPurges ? EVICTION_MESSAGE : null);
}

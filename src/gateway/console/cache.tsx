import type { Inventory, InventoryGroup } from '../../cache/inventory.ts';
import { createBypass } from '../../cache/wordpress/shared-requests.ts';
import { formatNumber } from '../../count-of.ts';
import { explainCacheDetail } from '../../ui/cache-words.ts';
import { formatBytes, formatSeconds, formatShare } from '../../ui/format.ts';
import type { Html } from '../../ui/page.tsx';
import { numbers, Table } from '../../ui/table.tsx';
import { shorten } from '../../ui/text.ts';
import { EVICTION_MESSAGE, SHARED_STORE_MESSAGES, siteKey } from '../admin/site-operations.ts';
import type { SiteCaching } from '../caching/site-caching.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { GatewayStatus } from '../process-status.ts';
import { explain, explainForm, explanation } from './explain.tsx';
import { figure, note, toQueryUrl } from './layout.tsx';
import { getOperations } from './operations.tsx';
import { type ConsoleContext, type ConsolePage, createSitePage, liveSection, section } from './page.ts';
import { purgeForm } from './purge.tsx';
import WORDS from './words.json' with { type: 'json' };

/** Milliseconds for which an inventory is shown: counting the store again for each refresh would cost too much. */
const INVENTORY_AGE = 10_000;
const MAX_ROWS = 50;

/** The store of a site: what it holds, what the gateway does with an address, and purges. */
export function createCachePage(context: ConsoleContext): ConsolePage {
  const getInventory = createInventoryLookup(context);
  return createSitePage(context, 'cache', 'Cache', async (site, request) => {
    const { query } = request;
    const { caching, mountPath } = site;
    const address = query.get('address') ?? '';
    const fields = query.get('fields') ?? '';
    const example = findExampleRoute(site);
    const toPurgeUrl = (kind: string, value: string): string => `${toQueryUrl(query, { kind, value })}#purge`;
    const input = { text: address, fields, consoleAddress: request.client };
    const explained =
      address === ''
        ? null
        : explanation(await explain(context, site, request, input), toPurgeUrl('address', address));
    const explainSection = section('explain', 'Explain an address', () => (
      <>
        {explainForm(address, fields, `${mountPath}${example}`)}
        {explained}
      </>
    ));
    if (caching === null) {
      return [section('store', '', () => <p>Nothing of this site is cached.</p>), explainSection];
    }
    const inventory = await getInventory(site);
    const routeHead = (name: string): Html => {
      if (!isRoute(name)) return <code>{shorten(name, 120)}</code>;
      const explainUrl = `${toQueryUrl(query, { address: `${mountPath}${name}` })}#explain`;
      return (
        <>
          {groupLink(name, toPurgeUrl('route', name))} <a href={explainUrl}>explain</a>
        </>
      );
    };
    const tagHead = (name: string): Html => {
      const words = describeTag(name);
      return (
        <>
          {groupLink(name, toPurgeUrl('tag', name))}
          {words === '' ? null : <small>{words}</small>}
        </>
      );
    };
    return [
      liveSection('store', '', () => storeSummary(context, site, caching, inventory)),
      explainSection,
      section('purge', 'Purge', () => purgeForm(request, siteKey(site), example)),
      liveSection('routes', 'Stored by route', () =>
        groupTable('route', inventory?.routes, inventory?.routeCount, routeHead),
      ),
      liveSection('tags', 'Stored by tag', () => (
        <>
          <p>Writes and purges select responses by tags.</p>
          {groupTable('tag', inventory?.tags, inventory?.tagCount, tagHead)}
        </>
      )),
      liveSection('exclusions', 'Kept out of the store', () => exclusionTable(caching)),
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
  inventory: Inventory | null,
): Html {
  const { bytes = 0, maxBytes = 0, responseCount = 0 } = readGateway().store ?? {};
  const { bytes: ownBytes = 0, responses = 0 } = inventory?.total ?? {};
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
        {figure(
          'Responses',
          formatNumber(responses),
          `of this site, ${formatBytes(ownBytes)}; ${formatNumber(responseCount)} of all sites`,
        )}
        {figure(
          'Writes',
          formatNumber(counts.everything + counts.named + counts.nothing),
          `through the gateway: ${formatNumber(counts.everything)} purged everything, ${formatNumber(counts.nothing)} nothing`,
        )}
      </dl>
      {sharedStoreNote(readGateway())}
      {readGateway().sharedState === undefined ? null : (
        <p>
          The store is shared with other gateways. What this page shows is in the memory of this one; a purge
          concerns all of them.
        </p>
      )}
    </>
  );
}

/** Says what the gateway does while it cannot use the store that it shares with others; `null` while it can. */
export function sharedStoreNote(status: Pick<GatewayStatus, 'mayEvictPurges' | 'sharedState'>): Html | null {
  const { mayEvictPurges, sharedState: state = 'connected' } = status;
  if (state !== 'connected') return note(SHARED_STORE_MESSAGES[state]);
  return note(mayEvictPurges ? EVICTION_MESSAGE : null);
}

/** @param total number of all groups */
function groupTable(
  noun: string,
  groups: readonly InventoryGroup[] | undefined,
  total: number | undefined,
  toHead: (name: string) => Html,
): Html {
  if (groups === undefined || groups.length === 0) return <p>Nothing of this site is stored.</p>;
  const number = numbers<InventoryGroup>;
  return (
    <Table
      label={`Stored responses by ${noun}`}
      look="operation-traffic"
      rows={groups.slice(0, MAX_ROWS)}
      total={total ?? 0}
      columns={[
        { heading: noun, cell: ({ name }) => toHead(name) },
        number('responses', ({ responses }) => formatNumber(responses)),
        number('fresh', ({ fresh }) => formatNumber(fresh)),
        number('memory', ({ bytes }) => formatBytes(bytes)),
        number('age', ({ oldest, youngest }) => formatRange(youngest, oldest)),
        number('fresh for', (group) => formatRange(group.shortestLifetime, group.longestLifetime)),
      ]}
    />
  );
}

function groupLink(name: string, url: string): Html {
  return (
    <code>
      <a href={url}>{shorten(name, 120)}</a>
    </code>
  );
}

function formatRange(least: number, most: number): string {
  return formatSeconds(least) + (most - least < 1 ? '' : ` to ${formatSeconds(most)}`);
}

/** Tells which responses have a tag, by the first of the kinds that `tag-names.ts` lists. */
export function describeTag(tag: string): string {
  return WORDS.tagKinds.find(([pattern = '']) => new RegExp(pattern).test(tag))?.[1] ?? '';
}

/** Why requests and responses were kept out of the store, with the names that caused it. */
function exclusionTable({ exclusions }: SiteCaching): Html {
  const rows = [...exclusions.counts].sort((one, other) => other.count - one.count);
  if (rows.length === 0) return <p>No request has bypassed the store.</p>;
  const explain = (reason: (typeof rows)[number]['reason']): string =>
    explainCacheDetail(
      reason === 'nonce in body' || reason === 'set-cookie' ? reason : createBypass(reason, 'it').detail,
    );
  return (
    <Table
      label="Requests that bypassed the store"
      rows={rows.slice(0, 2 * MAX_ROWS)}
      columns={[
        { heading: 'reason', cell: ({ reason }) => explain(reason) },
        { heading: 'name', cell: ({ name }) => (name === '' ? '' : <code>{shorten(name, 60)}</code>) },
        numbers<(typeof rows)[number]>('times', ({ count }) => formatNumber(count)),
      ]}
    />
  );
}

/** Creates a function that counts the store of a site, at most once at a time and not again for a while. */
function createInventoryLookup(context: ConsoleContext): (site: MountedSite) => Promise<Inventory | null> {
  const { clock, readGateway, stores } = context;
  const count = (site: MountedSite, responseCount: number) => {
    return { time: clock.now(), responseCount, inventory: stores.takeInventory(site.mount) };
  };
  const recent = new WeakMap<MountedSite, ReturnType<typeof count>>();
  return (site) => {
    const known = recent.get(site);
    const { responseCount = 0 } = readGateway().store ?? {};
    // After a purge there are fewer.
    const isCurrent = known !== undefined && responseCount >= known.responseCount;
    if (isCurrent && clock.now() - known.time < INVENTORY_AGE) return known.inventory;
    const counted = count(site, responseCount);
    recent.set(site, counted);
    return counted.inventory;
  };
}

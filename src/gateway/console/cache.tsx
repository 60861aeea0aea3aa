import { type Inventory, takeInventory } from '../../cache/inventory.ts';
import { createBypass } from '../../cache/wordpress/store-eligibility.ts';
import { DependencyTable, ExclusionTable } from '../../console/cache/dependency-tables.tsx';
import { ExplainForm, Explanation } from '../../console/cache/explanation.tsx';
import { GroupTable, StoreSummary } from '../../console/cache/inventory-tables.tsx';
import { PurgeForm } from '../../console/cache/purge-form.tsx';
import { describeTag } from '../../console/cache/tag-words.ts';
import type { ConsolePage, ConsoleSection } from '../../console/index.ts';
import { toQueryUrl } from '../../console/shell/query-links.tsx';
import { explainCacheDetail } from '../../docs/try/cache-details.ts';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import { createDependencyReport } from '../caching/dependency-report.ts';
import type { SiteCaching } from '../caching/site-caching.ts';

import type { MountedSite } from '../mounted-site.ts';
import type { ConsoleContext } from './console-context.ts';
import { explainAddress } from './explain-address.ts';
import { getOperations } from './operation-facts.ts';

/** Milliseconds for which an inventory is shown: counting the store again for each refresh would cost too much. */
const INVENTORY_AGE = 10_000;
/** Rows of a table. */
const MAX_ROWS = 50;

const EMPTY_GROUP = {
  ...{ name: '', responses: 0, bytes: 0, fresh: 0, youngest: 0, oldest: 0 },
  ...{ shortestLifetime: 0, longestLifetime: 0 },
};
const EMPTY: Inventory = { total: EMPTY_GROUP, routes: [], routeCount: 0, tags: [], tagCount: 0 };

/** The store of a site: what it holds, what the gateway does with an address, and purges. */
export function createCachePage(context: ConsoleContext): ConsolePage {
  const getInventory = createInventoryLookup(context);
  return {
    path: 'sites/:site/cache',
    async render(request) {
      const site = findSiteByKey(context.sites, request.params['site'] ?? '');
      if (site === undefined) return null;
      const key = siteKey(site);
      const { query, root } = request;
      const address = query.get('address') ?? '';
      const fields = query.get('fields') ?? '';
      const example = findExampleRoute(site);
      const explain: ConsoleSection = {
        id: 'explain',
        title: 'Explain an address',
        content() {
          const typed = { text: address, fields, consoleAddress: request.client };
          const explanation = address === '' ? null : explainAddress(context, site, root, typed);
          return (
            <>
              <ExplainForm address={address} headers={fields} example={`${site.mount}${example}`} />
              {explanation === null ? null : typeof explanation === 'string' ? (
                <p class="problem">{explanation}</p>
              ) : (
                <Explanation explanation={explanation} purgeUrl={toPurgeUrl(query, 'address', address)} />
              )}
            </>
          );
        },
      };
      const view = { title: 'Cache', tab: 'cache' as const, site: key };
      const { caching } = site;
      if (caching === null) {
        const content = () => <p>Nothing of this site is cached.</p>;
        return { ...view, sections: [{ id: 'store', content }, explain] };
      }
      const inventory = await getInventory(site);
      return {
        ...view,
        sections: [
          {
            id: 'store',
            isLive: true,
            content: () => <Summary context={context} caching={caching} inventory={inventory} />,
          },
          explain,
          {
            id: 'purge',
            title: 'Purge',
            content: () => (
              <PurgeForm
                request={request}
                site={key}
                kind={query.get('kind') ?? 'route'}
                value={query.get('value') ?? ''}
                example={example}
              />
            ),
          },
          {
            id: 'routes',
            title: 'Stored by route',
            isLive: true,
            content: () => (
              <GroupTable
                groups={inventory.routes.slice(0, MAX_ROWS)}
                count={inventory.routeCount}
                noun="route"
                toUrl={(name) => (isRoute(name) ? toPurgeUrl(query, 'route', name) : null)}
                toExplainUrl={(name) =>
                  isRoute(name) ? `${toQueryUrl(query, { address: `${site.mount}${name}` })}#explain` : null
                }
              />
            ),
          },
          {
            id: 'tags',
            title: 'Stored by tag',
            isLive: true,
            content: () => (
              <>
                <p>Writes and purges select responses by tags.</p>
                <GroupTable
                  groups={inventory.tags.slice(0, MAX_ROWS)}
                  count={inventory.tagCount}
                  noun="tag"
                  toUrl={(name) => toPurgeUrl(query, 'tag', name)}
                  describe={describeTag}
                />
              </>
            ),
          },
          {
            id: 'dependencies',
            title: 'Learned dependencies',
            isLive: true,
            content: () => <Dependencies caching={caching} />,
          },
          {
            id: 'exclusions',
            title: 'Kept out of the store',
            isLive: true,
            content: () => <Exclusions caching={caching} />,
          },
        ],
      };
    },
  };
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

function toPurgeUrl(query: URLSearchParams, kind: string, value: string): string {
  return `${toQueryUrl(query, { kind, value })}#purge`;
}

function Summary({
  caching,
  context,
  inventory,
}: {
  readonly context: ConsoleContext;
  readonly caching: SiteCaching;
  readonly inventory: Inventory;
}) {
  const { bytes, maxBytes, responseCount } = context.store?.stats() ?? {
    bytes: 0,
    maxBytes: 0,
    responseCount: 0,
  };
  const figures = {
    ...{ bytes, maxBytes, responses: responseCount },
    siteResponses: inventory.total.responses,
    siteBytes: inventory.total.bytes,
    isShared: context.store?.inspector?.isShared ?? false,
    ...caching.purgeCounts,
  };
  return <StoreSummary figures={figures} />;
}

function Dependencies({ caching }: { readonly caching: SiteCaching }) {
  const { pairs, total } = createDependencyReport(caching.learning, caching.purgeCounts, 0);
  return <DependencyTable rows={pairs.slice(0, MAX_ROWS)} total={total} />;
}

function Exclusions({ caching }: { readonly caching: SiteCaching }) {
  const rows = Array.from(caching.exclusions.counts, ({ count, name, reason }) => ({
    ...{ count, name, reason },
    words: explainCacheDetail(reason === 'nonce in body' ? reason : createBypass(reason, 'it').detail),
  }));
  return <ExclusionTable rows={rows.sort((one, other) => other.count - one.count).slice(0, 2 * MAX_ROWS)} />;
}

interface CountedStore {
  readonly time: number;
  /** Of all sites. */
  readonly responseCount: number;
  readonly inventory: Promise<Inventory>;
}

/** Creates a function that counts the store of a site, at most once at a time and not again for a while. */
function createInventoryLookup({ clock, store }: ConsoleContext): (site: MountedSite) => Promise<Inventory> {
  const recent = new WeakMap<MountedSite, CountedStore>();
  return (site) => {
    const { caching, runtime } = site;
    const { snapshot } = runtime;
    const inspector = store?.inspector;
    if (caching === null || snapshot === null || inspector === undefined) return Promise.resolve(EMPTY);
    const known = recent.get(site);
    const { responseCount } = store?.stats() ?? { responseCount: 0 };
    // After a purge there are fewer.
    const isCurrent = known !== undefined && responseCount >= known.responseCount;
    if (isCurrent && clock.now() - known.time < INVENTORY_AGE) return known.inventory;
    const inventory = takeInventory({
      inspector,
      clock,
      storeScope: caching.views.getStoreScope(snapshot),
      nameRoute: (key, response) => caching.views.nameRoute(snapshot, key, response),
    });
    recent.set(site, { time: clock.now(), responseCount, inventory });
    return inventory;
  };
}

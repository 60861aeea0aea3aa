import type { Child } from 'hono/jsx';
import { shorten, toPlainText } from '../../docs/details/plain-text.ts';
import type { DocsAssets } from '../../docs/docs-assets.ts';
import type { Html } from '../../docs/pages/html.ts';
import { PageShell } from '../../docs/pages/page-shell.tsx';
import type { ConsoleSite, ConsoleTab, ConsoleView } from '../console-page.ts';
import { ActionForm } from './forms.tsx';

/** The files that the pages load. */
export type ConsoleAssets = Pick<
  DocsAssets,
  'styleName' | 'consoleStyleName' | 'consoleScriptName' | 'consoleScriptIntegrity'
>;

/** Properties of {@link ConsoleLayout}. */
export interface ConsoleLayoutProps {
  readonly assets: ConsoleAssets;
  readonly root: string;
  readonly csrf: string;
  readonly sites: readonly ConsoleSite[];
  readonly view: Pick<ConsoleView, 'title' | 'tab' | 'site'>;
  /** Address of the page below `/-/console/`, with query. */
  readonly address: string;
  /** Whether the page is refreshed while it is open. */
  readonly isLive: boolean;
  /** What the last action has done. */
  readonly notice?: string | undefined;
  readonly children: Child;
}

/** The frame of every page of the console for a client that has signed in. */
export function ConsoleLayout(props: ConsoleLayoutProps): Html {
  const { address, assets, children, csrf, isLive, notice, root, sites, view } = props;
  const site = sites.find(({ key }) => key === view.site);
  return (
    <ConsoleDocument
      assets={assets}
      root={root}
      titles={[view.title, ...(site === undefined ? [] : [site.title])]}
      data={isLive ? { 'data-live': `${root}events`, 'data-page': address } : {}}
    >
      <header class="top">
        <a class="brand" href={root}>
          waygate
        </a>
        <span class="tag">Console</span>
        <span class="live-state" role="status"></span>
        <a class="refresh" href={root + address}>
          Refresh
        </a>
        <ActionForm request={{ root, csrf }} action="sign-out" button="Sign out" />
      </header>
      <div class="frame">
        <nav class="tree" aria-label="Console">
          <details open class="tree-fold">
            <summary>Pages</summary>
            <Navigation root={root} sites={sites} view={view} />
          </details>
        </nav>
        <main id="content" tabindex={-1}>
          {notice === undefined ? null : (
            <p class="notice" role="status">
              {shorten(notice, 600)}
            </p>
          )}
          {site === undefined ? null : <Breadcrumbs root={root} site={site} view={view} />}
          <h1>{shorten(toPlainText(view.title), 120)}</h1>
          {children}
        </main>
      </div>
    </ConsoleDocument>
  );
}

/** The document of a page, with the navigation or without it. */
export function ConsoleDocument({
  assets,
  children,
  data = {},
  root,
  titles,
}: {
  readonly assets: ConsoleAssets;
  readonly root: string;
  readonly titles: readonly string[];
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  readonly children: Child;
}): Html {
  return (
    <PageShell
      titles={[...titles.map((title) => toPlainText(title, 80)), 'waygate console']}
      assetFolder={`${root}assets/`}
      styles={[assets.styleName, assets.consoleStyleName]}
      script={{ name: assets.consoleScriptName, integrity: assets.consoleScriptIntegrity }}
      data={data}
    >
      {children}
    </PageShell>
  );
}

const SITE_TABS: readonly { readonly tab: ConsoleTab; readonly title: string }[] = [
  { tab: 'traffic', title: 'Traffic' },
  { tab: 'cache', title: 'Cache' },
  { tab: 'validation', title: 'Validation' },
  { tab: 'document', title: 'Document' },
  { tab: 'problems', title: 'Problems' },
];

/** Names the site on each of its pages: on a small screen the navigation is folded. */
function Breadcrumbs({
  root,
  site,
  view,
}: Pick<ConsoleLayoutProps, 'root' | 'view'> & { readonly site: ConsoleSite }): Html {
  const tab = SITE_TABS.find((each) => each.tab === view.tab);
  const isBelow = tab !== undefined && tab.title !== view.title;
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        <li>
          <a href={root}>Overview</a>
        </li>
        <li>
          <a href={toSitePageUrl(root, site.key, 'traffic')}>{toPlainText(site.title, 60)}</a>
        </li>
        {isBelow ? (
          <li>
            <a href={toSitePageUrl(root, site.key, tab.tab)}>{tab.title}</a>
          </li>
        ) : null}
        <li aria-current="page">{toPlainText(view.title, 60)}</li>
      </ol>
    </nav>
  );
}

function Navigation({ root, sites, view }: Pick<ConsoleLayoutProps, 'root' | 'sites' | 'view'>): Html {
  return (
    <ul>
      <li>
        <a href={root} aria-current={view.tab === 'overview' ? 'page' : undefined}>
          Overview
        </a>
      </li>
      {sites.map(({ key, title }) => (
        <li class="namespace">
          <span class="tree-title">{toPlainText(title, 60)}</span>
          <ul>
            {SITE_TABS.map(({ tab, title: tabTitle }) => (
              <li>
                <a
                  href={toSitePageUrl(root, key, tab)}
                  aria-current={view.site === key && view.tab === tab ? 'page' : undefined}
                >
                  {tabTitle}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** The relative URL of a page of a site. */
export function toSitePageUrl(root: string, site: string, tab: ConsoleTab): string {
  return root + toSitePagePath(site, tab);
}

/** The path of a page of a site, below `/-/console/`. */
export function toSitePagePath(site: string, tab: ConsoleTab): string {
  return `sites/${encodeURIComponent(site)}/${tab}`;
}

import type { MiddlewareHandler } from 'hono';
import type { Child } from 'hono/jsx';
import { secureHeaders } from 'hono/secure-headers';
import { shorten, toPlainText } from '../../base/text.ts';
import type { OperatedGateway } from '../../gateway/report/operated-gateway.ts';
import type { OperatedSite } from '../../gateway/report/operated-site.ts';
import type { AuditEntry } from '../admin/admin-app.ts';
import type { DocsAssets } from '../ui/packaged-assets.ts';
import { DescriptionText, Frame, type Html, PageShell, toDocumentText } from '../ui/page.tsx';
import REFUSALS from './refusals.json' with { type: 'json' };

export const CONSOLE_PATH = '/-/console/';

export type SiteTab = 'traffic' | 'cache' | 'problems';

export interface ConsoleRequest {
  readonly query: URLSearchParams;
  /** Path from the page to `/-/console/`, relative: `./`, or `../../`. All links of a page begin with it. */
  readonly root: string;
  readonly csrf: string;
}

export interface ConsoleView {
  readonly title: string;
  readonly tab?: SiteTab | 'overview';
  readonly site?: string;
  readonly content: Html;
}

export type SitePage = (
  gateway: OperatedGateway,
  site: OperatedSite,
  request: ConsoleRequest,
) => Html | Promise<Html>;

export type ConsoleAction = (
  gateway: OperatedGateway,
  form: URLSearchParams,
) => ActionResult | Promise<ActionResult>;

export interface ActionResult {
  readonly result: AuditEntry['result'];
  readonly target: string;
  readonly notice: string;
  /** Path below `/-/console/` of the next page: `sites/content/cache`; the overview without it. */
  readonly page?: string;
}

export function refuseAction(target: string, notice: string): ActionResult {
  return { result: 'refused', target, notice };
}

type FrameSite = Pick<OperatedSite, 'mount' | 'name' | 'title'>;

export function respondWithView(
  assets: DocsAssets,
  view: ConsoleView,
  { csrf, root }: Pick<ConsoleRequest, 'csrf' | 'root'>,
  sites: readonly FrameSite[],
  notice: string | undefined,
): Promise<Response> {
  const site = sites.find(({ name }) => name === view.site);
  const titles = [view.title, ...(site === undefined ? [] : [site.title])];
  return respondWithPage(
    assets,
    root,
    titles,
    <Frame
      label="Pages"
      navigation={navigation(root, sites, view)}
      header={
        <>
          <a class="brand" href={root}>
            waygate
          </a>
          <span class="tag">Console</span>
          <span class="live-state" role="status"></span>
          <ActionForm request={{ root, csrf }} action="sign-out" button="Sign out" />
        </>
      }
    >
      {notice === undefined ? null : (
        <p class="notice" role="status">
          {shorten(notice, 600)}
        </p>
      )}
      {/* On a small screen the navigation is folded, so the title names the site. */}
      <h1>
        {site === undefined ? view.title : `${toPlainText(site.title, 60)}: ${view.title}`}{' '}
        {site === undefined ? null : <small>{shorten(site.mount, 60)}</small>}
      </h1>
      {view.content}
    </Frame>,
  );
}

export function Section(props: {
  readonly id: string;
  readonly title?: string;
  readonly isLive?: boolean;
  readonly children: Child;
}): Html {
  const { children, id, isLive = false, title } = props;
  return (
    <section id={id} data-section={isLive ? id : undefined}>
      {title === undefined ? null : <h2>{title}</h2>}
      <div class="section-content">{children}</div>
    </section>
  );
}

export function note(text: string | null): Html | null {
  return text === null ? null : (
    <p class="note">
      <DescriptionText text={text} />
    </p>
  );
}

async function respondWithPage(
  assets: DocsAssets,
  root: string,
  titles: readonly string[],
  content: Html,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const page = (
    <PageShell
      titles={[...titles.map((title) => toPlainText(title, 80)), 'waygate console']}
      assetFolder={`${root}assets/`}
      styles={[assets.style.file, assets.consoleStyle.file]}
      script={assets.consoleScript}
    >
      {content}
    </PageShell>
  );
  const common = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(await toDocumentText(page), { status, headers: { ...common, ...headers } });
}

export function createConsoleSecurity(scriptIntegrity: string): MiddlewareHandler {
  return secureHeaders({
    // As in the documentation, but with forms. No page can frame the console, not even one at the same origin.
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: [`'${scriptIntegrity}'`],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // With `no-referrer` a browser sends the `Origin` of a form as `null` (Fetch, "append a request Origin header").
    referrerPolicy: 'same-origin',
    // Both fields hold for the whole host, where a site can be too.
    originAgentCluster: false,
    strictTransportSecurity: false,
  });
}

export function redirectTo(url: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { location: url, 'cache-control': 'no-store', ...headers },
  });
}

export const SITE_TABS: readonly (readonly [tab: SiteTab, title: string])[] = [
  ['traffic', 'Timeline'],
  ['cache', 'Cache'],
  ['problems', 'Problems'],
];

function navigation(root: string, sites: readonly FrameSite[], view: ConsoleView): Html {
  const item = (text: string, url: string, isCurrent: boolean): Html => (
    <li>
      <a href={url} aria-current={isCurrent ? 'page' : undefined}>
        {text}
      </a>
    </li>
  );
  return (
    <ul>
      {item('Overview', root, view.tab === 'overview')}
      {sites.map(({ mount, name, title }) => (
        <li class="namespace">
          <a class="tree-title" href={toSitePageUrl(root, name, 'traffic')}>
            {toPlainText(title, 60)} <small>{shorten(mount, 60)}</small>
          </a>
          {view.site !== name ? null : (
            <ul>
              {SITE_TABS.map(([tab, text]) => item(text, toSitePageUrl(root, name, tab), view.tab === tab))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

export function toSitePageUrl(root: string, site: string, tab: SiteTab): string {
  return root + toSitePagePath(site, tab);
}

export function toSitePagePath(site: string, tab: SiteTab): string {
  return `sites/${encodeURIComponent(site)}/${tab}`;
}

export const CSRF_FIELD = '_token';

export function ActionForm(props: {
  readonly request: Pick<ConsoleRequest, 'root' | 'csrf'>;
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly button: string;
  readonly ask?: string;
  readonly children?: Child;
}): Html {
  const { action, ask, button, children, fields = {}, request } = props;
  const form = (
    <form class="action" method="post" action={`${request.root}${action}`}>
      <input type="hidden" name={CSRF_FIELD} value={request.csrf} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
      <button type="submit" class={ask === undefined ? 'button' : 'button danger'}>
        {ask === undefined ? button : `Yes, ${button.toLowerCase()}`}
      </button>
    </form>
  );
  if (ask === undefined) return form;
  return (
    <details class="ask">
      <summary class="button">{button}</summary>
      <p>{ask}</p>
      {form}
    </details>
  );
}

export function RequestLink(props: { readonly id: string; readonly page?: string }): Html {
  const { id, page = './cache' } = props;
  const query = new URLSearchParams({ address: id });
  return (
    <a class="id" href={`${page}?${query}#explain`}>
      {shorten(id, 40)}
    </a>
  );
}

export function respondWithNarrowPage(
  assets: DocsAssets,
  root: string,
  title: string,
  content: Html,
  status?: number,
  headers?: Readonly<Record<string, string>>,
): Promise<Response> {
  const page = (
    <main class="narrow" id="content" tabindex={-1}>
      <h1>{title}</h1>
      {content}
    </main>
  );
  return respondWithPage(assets, root, [title], page, status, headers);
}

export function respondWithMessage(
  assets: DocsAssets,
  root: string,
  name: keyof typeof REFUSALS,
): Promise<Response> {
  const { content, status, title } = REFUSALS[name];
  const page = (
    <>
      {content.map((text) => note(text))}
      <p>
        <a href={root}>Overview</a>
      </p>
    </>
  );
  return respondWithNarrowPage(assets, root, title, page, status);
}

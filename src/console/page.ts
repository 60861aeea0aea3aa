import type { AdminClient, AdminContext, AuditEntry } from '../gateway/admin/admin-app.ts';
import type { PurgeTargets } from '../gateway/admin/purge.ts';
import { findSiteByKey, type SiteOperationsContext, siteKey } from '../gateway/admin/site-operations.ts';
import type { MountedSite } from '../gateway/mounted-site.ts';
import type { DocsAssetsLoader } from '../gateway/options/gateway-options.ts';
import type { ServedHosts } from '../gateway/served-hosts.ts';
import type { Html } from '../ui/page.tsx';

/** Path of the overview. All addresses of the console begin with it. */
export const CONSOLE_PATH = '/-/console/';

export interface ConsoleContext
  extends AdminContext,
    PurgeTargets,
    Pick<SiteOperationsContext, 'clock' | 'drain' | 'readGateway'> {
  /** `undefined` if all hosts lead to the sites by path. */
  readonly hosts: ServedHosts<MountedSite> | undefined;
  /** Returns the URL of a site for a link, without slash at its end; `null` if it is unknown. */
  readonly toSiteUrl: (request: LinkingRequest, site: MountedSite) => string | null;
  readonly loadDocs: DocsAssetsLoader;
}

/** The tabs of the navigation. All but `overview` belong to a site. */
export type ConsoleTab = 'overview' | 'traffic' | 'cache' | 'document' | 'problems';

export interface ConsolePage {
  /** Path below `/-/console/`: `sites/:site/cache`. A segment that begins with a colon is a parameter. */
  readonly path: string;
  /** Creates the page; `null` if there is none for the parameters. Runs again while the page is looked at. */
  render(request: ConsoleRequest): ConsoleView | null | Promise<ConsoleView | null>;
}

/** Creates the page of a tab of each site. @param list lists the sections of the page */
export function createSitePage(
  { sites }: ConsoleContext,
  tab: ConsoleTab,
  title: string,
  list: (
    site: MountedSite,
    request: ConsoleRequest,
  ) => readonly ConsoleSection[] | Promise<readonly ConsoleSection[]>,
): ConsolePage {
  return {
    path: `sites/:site/${tab}`,
    async render(request) {
      const site = findSiteByKey(sites, request.params['site'] ?? '');
      if (site === undefined) return null;
      return { title, tab, site: siteKey(site), sections: await list(site, request) };
    },
  };
}

export interface ConsoleRequest {
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Path from the page to `/-/console/`, relative: `./`, or `../../`. All links of a page begin with it. */
  readonly root: string;
  /** Token that each form of the session sends. */
  readonly csrf: string;
  /** How the client reaches the console. */
  readonly client: Pick<AdminClient, 'host' | 'protocol'>;
}

export type LinkingRequest = Pick<ConsoleRequest, 'client' | 'root'>;

export interface ConsoleView {
  readonly title: string;
  readonly tab?: ConsoleTab | undefined;
  readonly site?: string | undefined;
  readonly sections: readonly ConsoleSection[];
}

export interface ConsoleSection {
  /** Unique in the page: the anchor of the section. */
  readonly id: string;
  /** Empty if it has none. */
  readonly title: string;
  /** Whether the section is replaced in the open page when its HTML changes. */
  readonly isLive: boolean;
  readonly content: () => Html;
}

export function section(id: string, title: string, content: () => Html, isLive = false): ConsoleSection {
  return { id, title, content, isLive };
}

export function liveSection(id: string, title: string, content: () => Html): ConsoleSection {
  return section(id, title, content, true);
}

/** Something that an operator does: `POST /-/console/<name>`. */
export interface ConsoleAction {
  /**
   * One segment. What the action is about is in the fields of the form: the session's cookie is valid in the folder of the
   * console, and its path below a proxy is unknown.
   */
  readonly name: string;
  /** Asks before the action; `null` if there is nothing to ask. The form is sent again with the same fields. */
  confirm?(form: URLSearchParams): Confirmation | null | Promise<Confirmation | null>;
  run(form: URLSearchParams): ActionResult | Promise<ActionResult>;
}

export interface Confirmation extends Pick<ConsoleView, 'title' | 'site' | 'tab'> {
  readonly content: Html;
  readonly button: string;
  /** Path below `/-/console/` of the page that a refusal leads to. */
  readonly page: string;
}

export interface ActionResult {
  readonly result: AuditEntry['result'];
  /** What the action was about, for the audit line: `site content, route /wp/v2/posts`. */
  readonly target: string;
  /** What the next page says. */
  readonly notice: string;
  /** Path below `/-/console/` of the next page, with query: `sites/content/cache`. */
  readonly page: string;
}

export const NO_SUCH_SITE: ActionResult = {
  result: 'refused',
  target: '',
  notice: 'There is no such site.',
  page: '',
};

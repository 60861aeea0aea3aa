import { toPlainText } from '../../base/text.ts';
import type { ExplainContext } from '../../gateway/report/explain.ts';
import type { MountedSite } from '../../gateway/site/mounted-site.ts';
import type { AdminContext, AuditEntry } from '../admin/admin-app.ts';
import type { SiteOperationsContext } from '../admin/site-operations.ts';
import type { Html } from '../ui/page.tsx';

export const CONSOLE_PATH = '/-/console/';

export interface ConsoleContext
  extends AdminContext,
    ExplainContext,
    Pick<SiteOperationsContext, 'alerts' | 'cache' | 'clock'> {
  /** The last lines of the log, in JSON, the latest first. */
  readonly listLogLines: () => readonly string[];
}

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
  context: ConsoleContext,
  site: MountedSite,
  request: ConsoleRequest,
) => Html | Promise<Html>;

export type ConsoleAction = (
  context: ConsoleContext,
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

export function readTitle({ runtime, settings }: MountedSite): string {
  return toPlainText(runtime.snapshot?.documented?.title ?? settings.name, 80);
}

import { toSitePageUrl } from '../../console/shell/console-layout.tsx';
import type { Html } from '../../docs/pages/html.ts';
import { siteKey } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { ConsoleContext } from './console-context.ts';
import { getDocsAddress, getOperations } from './operation-facts.ts';

/** Properties of {@link ConsoleLinks}. */
export interface ConsoleLinksProps {
  readonly context: Pick<ConsoleContext, 'toSiteUrl'>;
  readonly site: MountedSite;
  /** `operationId`, or a name of what is no operation. */
  readonly operation: string;
  readonly root: string;
  /** The page that the links stand on. */
  readonly leavesOut: 'traffic' | 'validation' | 'problems' | 'cache';
}

/** Links from an operation to what the console and the documentation have about it. */
export function ConsoleLinks({ context, leavesOut, operation, root, site }: ConsoleLinksProps): Html {
  const facts = getOperations(site.runtime.snapshot).get(operation);
  const key = siteKey(site);
  if (facts === undefined) return <p class="lead">Not an operation of the document.</p>;
  const { method, path } = facts.operation;
  const docsUrl = toDocsUrl(context, root, site, operation);
  const search = new URLSearchParams({ q: path });
  return (
    <nav class="choices" aria-label={`${method} ${path}`}>
      {leavesOut === 'traffic' ? null : (
        <a href={`${root}sites/${encodeURIComponent(key)}/traffic/${encodeURIComponent(operation)}`}>
          Traffic
        </a>
      )}
      {leavesOut === 'validation' ? null : (
        <a href={`${toSitePageUrl(root, key, 'validation')}?${search}`}>Rules</a>
      )}
      {leavesOut === 'problems' ? null : (
        <a href={`${toSitePageUrl(root, key, 'problems')}?${new URLSearchParams({ operation })}`}>Problems</a>
      )}
      {docsUrl === null ? null : <a href={docsUrl}>Documentation</a>}
    </nav>
  );
}

/** Returns the URL of an operation's documentation; `null` if it is unknown. */
export function toDocsUrl(
  { toSiteUrl }: Pick<ConsoleContext, 'toSiteUrl'>,
  root: string,
  { mount, runtime }: MountedSite,
  operation: string,
): string | null {
  const address = getDocsAddress(runtime.snapshot, operation);
  const siteUrl = toSiteUrl(root, mount);
  return address === null || siteUrl === null ? null : `${siteUrl}/${address}`;
}

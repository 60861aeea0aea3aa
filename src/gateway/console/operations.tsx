import { createReference, type Reference } from '../../docs/reference.ts';
import { getOrCreate } from '../../memoize.ts';
import type { Html } from '../../ui/page.tsx';
import { siteKey } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { ServedOperation, Snapshot } from '../snapshot/snapshot.ts';
import { toSitePageUrl } from './layout.tsx';
import type { ConsoleContext, LinkingRequest } from './page.ts';

export function getOperations(snapshot: Snapshot | null): ReadonlyMap<string, ServedOperation> {
  return snapshot?.requestValidators?.getOperationsById() ?? new Map();
}

const referencesBySnapshot = new WeakMap<Snapshot, Reference>();

/** Returns the URL of an operation's documentation; `null` if it is unknown. */
export function toDocsUrl(
  { toSiteUrl }: Pick<ConsoleContext, 'toSiteUrl'>,
  request: LinkingRequest,
  site: MountedSite,
  operation: string,
): string | null {
  const { snapshot } = site.runtime;
  const { method, path } = getOperations(snapshot).get(operation)?.operation ?? {};
  const siteUrl = toSiteUrl(request, site);
  if (!snapshot?.documented || path === undefined || siteUrl === null) return null;
  const { document, title } = snapshot.documented;
  const reference = getOrCreate(referencesBySnapshot, snapshot, () => createReference(document, title));
  const section = reference.findSection(`${method} ${path}`);
  return section === undefined ? null : `${siteUrl}/docs/${section}`;
}

export function toTrafficUrl(root: string, site: MountedSite, operation: string): string {
  return `${toSitePageUrl(root, siteKey(site), 'traffic')}/${encodeURIComponent(operation)}`;
}

/** Links from the traffic of an operation to what the console and the documentation have about it. */
export function relatedLinks(
  context: ConsoleContext,
  site: MountedSite,
  operation: string,
  request: LinkingRequest,
): Html {
  const facts = getOperations(site.runtime.snapshot).get(operation);
  if (facts === undefined) return <p class="lead">Not an operation of the document.</p>;
  const { method, path } = facts.operation;
  const { root } = request;
  const docsUrl = toDocsUrl(context, request, site, operation);
  const key = siteKey(site);
  return (
    <nav class="choices" aria-label={`${method} ${path}`}>
      <a href={toSitePageUrl(root, key, 'problems', { operation })}>Problems</a>
      {docsUrl === null ? null : <a href={docsUrl}>Documentation</a>}
    </nav>
  );
}

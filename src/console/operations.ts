import { createReference, type Reference } from '../docs/reference.ts';
import type { MountedSite } from '../gateway/mounted-site.ts';
import type { ServedOperation, Snapshot } from '../gateway/snapshot/snapshot.ts';
import { getOrCreate } from '../memoize.ts';
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

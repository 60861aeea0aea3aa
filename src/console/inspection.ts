import { readAddress } from '../admin/purge.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { CachingInspection, ConsoleContext, ConsoleRequest, RequestInspection } from './page.ts';

/** A `GET` to be inspected, which nobody sends. */
export interface InspectedRead extends Pick<IncomingRequestHead, 'protocol' | 'target'> {
  readonly site: MountedSite;
  readonly host: string;
  /** Whether clients use this host. Otherwise one is looked for under which the resource is stored. */
  readonly isHostKnown: boolean;
}

export function readTypedAddress(
  text: string,
  client: ConsoleRequest['client'],
  context: ConsoleContext,
  ofPage: MountedSite,
): InspectedRead | string {
  const isHostKnown = !text.startsWith('/');
  const { protocol } = client;
  const ownHost = findOwnHost(ofPage);
  const address = readAddress(
    isHostKnown || ownHost === undefined ? text : `${protocol}://${ownHost}${text}`,
    context,
  );
  if (typeof address === 'string') return address;
  const { host, site, target } = address;
  return {
    ...{ site, target, isHostKnown },
    host: host || client.host,
    protocol: isHostKnown ? (/^https/i.test(text) ? 'https' : 'http') : protocol,
  };
}

export function findOwnHost({ settings }: MountedSite): string | undefined {
  return settings.hosts.find((host) => !host.startsWith('*.'));
}

/** Inspects a read, whose key in the store contains the host. @returns `null` before the site was discovered */
export async function inspect(
  { inspectRead }: Pick<ConsoleContext, 'inspectRead'>,
  read: InspectedRead,
): Promise<RequestInspection | null> {
  const inspection = await inspectRead(read.site, toHead(read));
  if (read.isHostKnown || inspection?.caching?.lookup?.responses.length !== 0) return inspection;
  const base = await findStoredBase(read.site, inspection);
  if (base === undefined) return inspection;
  const { host, protocol } = new URL(base);
  return inspectRead(
    read.site,
    toHead({ ...read, host, protocol: protocol === 'https:' ? 'https' : 'http' }),
  );
}

function toHead({ host, protocol, target }: InspectedRead): IncomingRequestHead {
  return {
    method: 'GET',
    ...{ target, protocol },
    headers: ['host', host],
    peerAddress: '',
    httpVersion: '1.1',
  };
}

async function findStoredBase(
  { caching }: MountedSite,
  { caching: inspected, snapshot }: RequestInspection,
): Promise<string | undefined> {
  if (caching === null || inspected?.resource.kind !== 'resource') return undefined;
  const { resourceKey } = inspected.resource.entry;
  const stored = await caching.listSelected(caching.selectTags(snapshot, [resourceKey]));
  const [, base] =
    stored.map(({ key }) => key.split('\n', 3)).find(([, , resource]) => resource === resourceKey) ?? [];
  return base !== undefined && URL.canParse(base) ? base : undefined;
}

/** The tags by which what is stored for a read is purged; those of its address if nothing is; `null` if it bypasses the store. */
export function listTags({ lookup, resource }: CachingInspection): readonly string[] | null {
  if (lookup === null || resource.kind === 'bypass') return null;
  return lookup.selected?.tags ?? resource.entry.tags;
}

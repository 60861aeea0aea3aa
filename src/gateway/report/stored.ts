import { getOrCreate } from '../../base/memoize.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { Snapshot } from '../site/snapshot/snapshot.ts';
import { NO_OPERATION } from '../site/traffic/site-traffic.ts';
import { CODE_FILES, EVERYTHING, readCachedRoute } from '../wordpress/cache-names.ts';

export interface StoredRow {
  readonly id: string;
  entries: number;
  bytes: number;
}

/** Number of stored responses whose operations are looked up. Further responses count together. */
const MAX_COUNTED = 20_000;

export async function countStored({
  caching,
  runtime: { snapshot },
}: MountedSite): Promise<readonly StoredRow[]> {
  if (caching === null || snapshot === null) return [];
  const selection = caching.selectTags(snapshot, [EVERYTHING, CODE_FILES]);
  const rows = new Map<string, StoredRow>();
  let counted = 0;
  for (const { key, response } of await caching.listSelected(selection)) {
    counted += 1;
    const id = counted > MAX_COUNTED ? NO_OPERATION.other : findOperation(snapshot, readCachedRoute(key));
    const row = getOrCreate(rows, id, () => ({ id, entries: 0, bytes: 0 }));
    row.entries += 1;
    row.bytes += response.body.byteLength;
  }
  return [...rows.values()].sort((one, other) => other.bytes - one.bytes);
}

function findOperation(snapshot: Snapshot, route: string | null): string {
  if (route === null) return NO_OPERATION.pages;
  const match = snapshot.matcher.match('GET', route);
  return match.kind === 'found' ? match.operation.id : NO_OPERATION.unknownRoutes;
}

/** @returns e.g. `GET /wp/v2/posts` for the id of an operation. What belongs to none can have its method: `:pages GET`. */
export function nameOperations(snapshot: Snapshot | null): (id: string) => string {
  const served = snapshot?.requestValidators?.getOperationsById();
  return (key) => {
    const id = key.replace(/ .*/s, '');
    const operation = served?.get(id)?.operation;
    return operation === undefined ? (OTHER_NAMES[id] ?? id) : `${operation.method} ${operation.path}`;
  };
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  [NO_OPERATION.unknownRoutes]: 'routes outside the document',
  [NO_OPERATION.pages]: 'pages of the site',
  [NO_OPERATION.gateway]: 'documentation and document',
  [NO_OPERATION.unrouted]: 'answered before the route was known',
  [NO_OPERATION.agents]: 'messages of agents',
  [NO_OPERATION.other]: 'further operations',
};

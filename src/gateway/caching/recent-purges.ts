import {
  createSelectionMatcher,
  type PurgeLabels,
  type PurgeSelection,
  type StoredResponse,
} from '../../cache/store.ts';
import { type Recent, toRecentTarget } from '../traffic/traffic-counters.ts';

/** What has purged stored responses of a site. */
export interface RecentPurge {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Of the request that has written, or whose response told of a change; empty if there is none. */
  readonly requestId: string;
  readonly selection: PurgeSelection;
  /** The first write of the request; what else has purged, in words. */
  readonly cause:
    | string
    | { readonly method: string; readonly address: string; readonly kind: string | null };
  /** Responses that were removed, or are not used before the site has sent them again. */
  marked: number;
}

/** Purges that are remembered of a site: as many selections as the evidence has. */
export const MAX_PURGES = 1_000;

/** What the last writes of a kind have cost. */
export interface WriteCost {
  /** Of the last thousand writes while something was stored. */
  readonly writes: number;
  /** Stored responses that they have marked. */
  readonly marked: number;
}

/** Sums up the remembered writes by their kind. */
export function listWriteCosts(purges: Recent<RecentPurge>): ReadonlyMap<string, WriteCost> {
  const costs = new Map<string, WriteCost>();
  for (const purge of purges.list()) {
    const kind = nameKind(purge);
    if (kind === null) continue;
    const { marked, writes } = costs.get(kind) ?? { marked: 0, writes: 0 };
    costs.set(kind, { writes: writes + 1, marked: marked + purge.marked });
  }
  return costs;
}

/** Names what writes are alike, as the evidence does; `null` if nothing was written. */
export function nameKind({ cause }: RecentPurge): string | null {
  if (typeof cause === 'string') return null;
  const { address, kind, method } = cause;
  const pattern = address.replace(/\?.*$/s, '').replace(/\/\d+(?=\/|$)/g, '/{n}');
  return kind ?? `${method} ${pattern}, of unknown effect`;
}

export function describeCause({ cause, requestId }: RecentPurge): string {
  const isText = typeof cause === 'string';
  const words = isText ? cause : `${cause.method} ${toRecentTarget(cause.address, true)}`;
  if (requestId !== '') return `${words} (request ${requestId})`;
  return isText ? words : `${words}, which no request of a client was`;
}

/** Lists what a purge selects: groups and tags. @param nameTag returns a tag without what stands for the site */
export function listSelected(selection: PurgeSelection, nameTag: (tag: string) => string): readonly string[] {
  if (selection.kind !== 'tags') return ['everything stored'];
  const { clauses = [], groups = [], tags } = selection;
  return [
    ...groups.map(({ name }) => `group ${nameTag(name)}`),
    ...tags.map((tag) => `tag ${nameTag(tag)}`),
    ...clauses.flatMap(({ tags: each }) => each.map((tag) => `tag ${nameTag(tag)}, by its text`)),
  ];
}

/** Tells by what a purge selects a response; `null` if it does not. @param nameTag returns a tag without what stands for the site */
export function explainSelection(
  selection: PurgeSelection,
  response: PurgeLabels | StoredResponse,
  nameTag: (tag: string) => string,
): string | null {
  if (selection.kind !== 'tags') return 'everything stored';
  const { clauses = [], groups = [], tags } = selection;
  const tag = response.tags.find((each) => tags.includes(each));
  if (tag !== undefined) return `its tag ${nameTag(tag)}`;
  for (const clause of clauses) {
    if (!createSelectionMatcher({ kind: 'tags', tags: [], clauses: [clause] })(response)) continue;
    const shown = response.tags.find((each) => clause.tags.includes(each)) ?? '';
    return `its tag ${nameTag(shown)} and its text, which contains what was there before`;
  }
  if (!createSelectionMatcher({ kind: 'tags', tags: [], groups })(response)) return null;
  return `its group ${nameTag(response.group?.name ?? '')}: nothing shows that such a write leaves it unchanged`;
}

import { templateOfReadKind } from '../../cache/wordpress/request-kinds.ts';
import { parseRouteGlob, type RouteGlob } from '../../glob.ts';
import type { IndependenceRule } from '../options/site-options.ts';
import type { InvalidatingWrite } from './invalidation.ts';

/** Maximum kinds of read that rules select among. Others are purged. */
const MAX_READ_KINDS = 2000;

/** The kinds of read of a site that were requested, with their namespaces. */
export class ReadKindRegistry {
  readonly #namespaces = new Map<string, string>();

  add(readKind: string, namespace: string): void {
    if (this.#namespaces.size < MAX_READ_KINDS) this.#namespaces.set(readKind, namespace);
  }

  /** Lists the kinds that a glob selects by their path template or their namespace. */
  select({ isForRoutes, matches }: RouteGlob): readonly string[] {
    return [...this.#namespaces].flatMap(([readKind, namespace]) =>
      matches(isForRoutes ? templateOfReadKind(readKind) : namespace) ? [readKind] : [],
    );
  }
}

/** Lists the kinds of read that the operator has declared independent of a write. */
export type IndependentKindLookup = (
  write: Pick<InvalidatingWrite, 'method' | 'address' | 'namespace'>,
) => readonly string[];

/** Creates the lookup for the rules of one site. */
export function createIndependentKindLookup(
  rules: readonly IndependenceRule[],
  readKinds: ReadKindRegistry,
): IndependentKindLookup {
  const parsed = rules.map(({ methods, reads, writes }) => ({
    methods: methods?.map((method) => method.toUpperCase()),
    reads: reads.map(parseRouteGlob),
    writes: parseRouteGlob(writes),
  }));
  return ({ address, method, namespace }) =>
    parsed.flatMap(({ methods, reads, writes }) => {
      if (methods?.includes(method) === false) return [];
      if (!writes.matches(writes.isForRoutes ? address : namespace)) return [];
      return reads.flatMap((glob) => readKinds.select(glob));
    });
}

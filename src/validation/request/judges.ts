import { LRUCache } from 'lru-cache';
import type { ServedOperation } from '../../openapi/index.ts';
import type { ResolveReference } from '../wordpress/index.ts';
import { createRequestJudge, type RequestJudge } from './validator.ts';

/** The judges of a document's operations: made when a request first comes by, so that start-up does not wait for them. */
export interface Judges {
  of(operation: ServedOperation): RequestJudge;
}

export interface JudgesOptions {
  /** Finds what a `$ref` of the document names. */
  readonly resolve: ResolveReference;
  /** How many are kept; which is the longest unused is made again. @default 2000 */
  readonly capacity?: number;
}

export function createJudges({ resolve, capacity = 2000 }: JudgesOptions): Judges {
  const known = new LRUCache<ServedOperation, RequestJudge>({ max: capacity });
  return {
    of(operation) {
      const found = known.get(operation);
      if (found !== undefined) return found;
      const made = createRequestJudge(operation, resolve);
      known.set(operation, made);
      return made;
    },
  };
}

import { LRUCache } from 'lru-cache';
import type { ServedOperation } from '../../openapi/index.ts';
import type { ResolveReference } from '../wordpress/index.ts';
import { createRequestValidator, type RequestValidator } from './validator.ts';

/** The judges of a document's operations: made when a request first comes by, so that start-up does not wait for them. */
export interface RequestValidators {
  get(operation: ServedOperation): RequestValidator;
}

export interface RequestValidatorsOptions {
  /** Finds what a `$ref` of the document names. */
  readonly resolve: ResolveReference;
  /** How many are kept; which is the longest unused is made again. @default 2000 */
  readonly capacity?: number;
}

export function createRequestValidators({
  resolve,
  capacity = 2000,
}: RequestValidatorsOptions): RequestValidators {
  const known = new LRUCache<ServedOperation, RequestValidator>({ max: capacity });
  return {
    get(operation) {
      const found = known.get(operation);
      if (found !== undefined) return found;
      const made = createRequestValidator(operation, resolve);
      known.set(operation, made);
      return made;
    },
  };
}

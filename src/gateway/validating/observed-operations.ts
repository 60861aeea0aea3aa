import type { ServedOperation } from '../../openapi/index.ts';
import type { Log } from '../../ports.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { ValidationMode } from '../../validation/evidence/enforcement.ts';
import type { Evidence } from '../../validation/evidence/evidence.ts';
import type { createModeResolver } from '../../validation/modes.ts';
import type { DocumentValidators } from '../snapshot/document-validators.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { EvidencePersistence } from './evidence-persistence.ts';
import type { ObservedOperation } from './observed-operation.ts';

/** The observed operations of one site at its current snapshot. */
export interface ObservedOperations {
  /** Switches to a snapshot. Drops the evidence of operations and parameters that its document no longer declares. */
  adopt(snapshot: Snapshot): void;
  /**
   * Returns the operation that a request matches; `null` when its requests are not validated: the mode is `off`, another
   * route may run instead, or the stored evidence has not been loaded.
   */
  get(snapshot: Snapshot, match: OperationMatch): ObservedOperation | null;
}

export interface ObservedOperationsOptions {
  readonly evidence: Evidence;
  readonly persistence: EvidencePersistence;
  readonly modeOf: ReturnType<typeof createModeResolver>;
  /** Name of the site in the log. */
  readonly site: string;
  readonly log: Log;
}

export function createObservedOperations({
  evidence,
  log,
  modeOf,
  persistence,
  site,
}: ObservedOperationsOptions): ObservedOperations {
  let adopted: Snapshot | null = null;
  let byOperation = new WeakMap<ServedOperation, ObservedOperation | null>();

  function createOperation(
    operation: ServedOperation,
    route: string,
    { mode, validators }: { readonly mode: Exclude<ValidationMode, 'off'>; validators: DocumentValidators },
  ): ObservedOperation {
    const key = { method: operation.method, route };
    return {
      ...key,
      id: operation.id,
      mode,
      validate: (parameters, isSuspended) => validators.get(operation).validate(parameters, isSuspended),
      stats: evidence.statsOf(key),
      fingerprintOf: (param) => validators.fingerprints(key)?.(param) ?? '',
    };
  }

  return {
    adopt(snapshot) {
      if (snapshot === adopted) return;
      adopted = snapshot;
      byOperation = new WeakMap();
      if (snapshot.validators === null) return;
      const dropped = evidence.retain(snapshot.validators.fingerprints);
      if (dropped.operations + dropped.rules === 0) return;
      log.info(
        { site, ...dropped },
        'evidence was dropped, because the document no longer declares its parameters',
      );
      persistence.markChanged();
    },
    get({ validators }, match) {
      if (!persistence.isLoaded) return null;
      if (match.kind !== 'found' || !match.certain || validators === null) return null;
      const { operation, route } = match;
      const known = byOperation.get(operation);
      if (known !== undefined) return known;
      const mode = modeOf(route, operation.method);
      const created = mode === 'off' ? null : createOperation(operation, route.pattern, { mode, validators });
      byOperation.set(operation, created);
      return created;
    },
  };
}

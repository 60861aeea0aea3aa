import type { ServedOperation } from '../../openapi/index.ts';
import type { Log } from '../../ports.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { ValidationMode } from '../../validation/evidence/enforcement.ts';
import type { Evidence } from '../../validation/evidence/evidence.ts';
import type { createModeResolver } from '../../validation/mode-resolver.ts';
import type { DocumentRequestValidators } from '../snapshot/document-request-validators.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { EvidencePersistence } from './evidence-persistence.ts';
import type { ObservedOperation } from './observed-operation.ts';

/** The observed operations of one site at its current snapshot. */
export interface ObservedOperations {
  /** Switches to a snapshot. Drops the evidence of operations and parameters that its document no longer declares. */
  useSnapshot(snapshot: Snapshot): void;
  /**
   * Returns the operation that a request matches; `null` when its requests are not validated: the mode is `off`, another
   * route may run instead, or the stored evidence has not been loaded.
   */
  get(snapshot: Snapshot, match: OperationMatch): ObservedOperation | null;
}

export interface ObservedOperationsOptions {
  readonly evidence: Evidence;
  readonly persistence: EvidencePersistence;
  readonly resolveMode: ReturnType<typeof createModeResolver>;
  /** Name of the site in the log. */
  readonly siteName: string;
  readonly log: Log;
}

export function createObservedOperations({
  evidence,
  log,
  resolveMode,
  persistence,
  siteName,
}: ObservedOperationsOptions): ObservedOperations {
  let adopted: Snapshot | null = null;
  let byOperation = new WeakMap<ServedOperation, ObservedOperation | null>();

  function createOperation(
    operation: ServedOperation,
    route: string,
    {
      mode,
      validators,
    }: { readonly mode: Exclude<ValidationMode, 'off'>; validators: DocumentRequestValidators },
  ): ObservedOperation {
    const key = { method: operation.method, route };
    return {
      ...key,
      operationId: operation.id,
      mode,
      validate: (parameters, isSuspended) => validators.get(operation).validate(parameters, isSuspended),
      stats: evidence.getStats(key),
      getFingerprint: (param) => validators.lookUpFingerprints(key)?.(param) ?? '',
    };
  }

  return {
    useSnapshot(snapshot) {
      if (snapshot === adopted) return;
      adopted = snapshot;
      byOperation = new WeakMap();
      if (snapshot.requestValidators === null) return;
      const dropped = evidence.retainDeclared(snapshot.requestValidators.lookUpFingerprints);
      if (dropped.operations + dropped.rules === 0) return;
      log.info(
        { site: siteName, ...dropped },
        'evidence was dropped, because the document no longer declares its parameters',
      );
      persistence.markChanged();
    },
    get({ requestValidators }, match) {
      if (!persistence.isLoaded) return null;
      if (match.kind !== 'found' || !match.isCertain || requestValidators === null) return null;
      const { operation, route } = match;
      const known = byOperation.get(operation);
      if (known !== undefined) return known;
      const mode = resolveMode(route, operation.method);
      const created =
        mode === 'off'
          ? null
          : createOperation(operation, route.pattern, { mode, validators: requestValidators });
      byOperation.set(operation, created);
      return created;
    },
  };
}

import { createReference } from '../../docs/reference/reference.ts';
import type { ServedOperation, ServedRoute } from '../../openapi/index.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** An operation of a document, as the pages of the console name it. */
export interface DocumentedOperation {
  readonly operation: ServedOperation;
  readonly route: ServedRoute;
}

const bySnapshot = new WeakMap<Snapshot, ReadonlyMap<string, DocumentedOperation>>();

/** Returns the operations of a snapshot by `operationId`. */
export function getOperations(snapshot: Snapshot | null): ReadonlyMap<string, DocumentedOperation> {
  if (snapshot === null) return new Map();
  const known = bySnapshot.get(snapshot);
  if (known !== undefined) return known;
  const operations = snapshot.requestValidators?.listOperations() ?? [];
  const created = new Map(Array.from(operations, (facts) => [facts.operation.id, facts]));
  bySnapshot.set(snapshot, created);
  return created;
}

const addressesBySnapshot = new WeakMap<Snapshot, ReadonlyMap<string, string>>();

/** Returns the address of an operation below the mount, `docs/wp/v2/posts#list-posts`; `null` without documentation. */
export function getDocsAddress(snapshot: Snapshot | null, operation: string): string | null {
  if (snapshot === null) return null;
  const known = addressesBySnapshot.get(snapshot) ?? listDocsAddresses(snapshot);
  addressesBySnapshot.set(snapshot, known);
  return known.get(operation) ?? null;
}

function listDocsAddresses({ documented }: Snapshot): ReadonlyMap<string, string> {
  if (documented === null) return new Map();
  const { pages } = createReference(documented.document, documented.title);
  return new Map(
    pages.flatMap(({ address, operations }) =>
      operations.map(({ anchor, id }) => [id, `docs/${address}#${anchor}`] as const),
    ),
  );
}

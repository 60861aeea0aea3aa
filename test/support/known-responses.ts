import type { ReconcileReport } from '../../src/generator/reconcile/index.ts';

/** Numbers of operations of all namespaces: with a described response before and after, and in all. */
export function sumKnown({ namespaces }: ReconcileReport): Record<'before' | 'known' | 'operations', number> {
  return namespaces.reduce(
    (sum, { before, known, operations }) => ({
      before: sum.before + before,
      known: sum.known + known,
      operations: sum.operations + operations,
    }),
    { before: 0, known: 0, operations: 0 },
  );
}

import type { ChangeDirection, ChangeSource } from './collector.ts';

/** A place in an operation or a component, where schemas are compared. */
export interface ChangePlace {
  readonly source: ChangeSource;
  readonly direction: ChangeDirection;
  /** The outermost schema: `query parameter "order"`, `body`, `response schema Post`. */
  readonly label: string;
  /** The names of the members that lead to the schema; `[]` for items, `*` for members of any name. */
  readonly path: readonly string[];
  /** Number of schemas around this one. */
  readonly depth: number;
}

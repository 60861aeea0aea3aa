import type { ResourceConvention } from './resource-convention.ts';

/** What decides which errors an operation may send. */
export interface ErrorFacts {
  readonly method: string;
  /** The kind of the response: `item`, `list`, `batch`, … */
  readonly kind: string;
  /** The convention of the resource, if it is one of WordPress itself. */
  readonly convention: ResourceConvention | undefined;
  readonly hasArguments: boolean;
  readonly hasRequired: boolean;
  readonly hasContext: boolean;
  readonly hasPages: boolean;
  readonly hasJsonBody: boolean;
  /** Whether the path has parameters. */
  readonly isItem: boolean;
}

/** Error codes, what sends them, and when. An entry without a condition applies to every operation of its kinds. */
export interface ErrorConvention {
  readonly codes: readonly string[];
  readonly source: string;
  /** Kinds of resources; absent: every operation, also of plugins. */
  readonly kinds?: readonly string[];
  readonly methods?: readonly string[];
  when?(facts: ErrorFacts): boolean;
}

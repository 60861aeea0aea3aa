import { CONTENT_ERRORS } from './content-errors.ts';
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

/** Errors of every route of every site. */
const COMMON_ERRORS: readonly ErrorConvention[] = [
  {
    codes: ['rest_invalid_param'],
    source: 'WP_REST_Request::has_valid_params() and sanitize_params()',
    when: ({ hasArguments }) => hasArguments,
  },
  {
    codes: ['rest_missing_callback_param'],
    source: 'WP_REST_Request::has_valid_params()',
    when: ({ hasRequired }) => hasRequired,
  },
  {
    codes: ['rest_invalid_json'],
    source: 'WP_REST_Request::parse_json_params()',
    when: ({ hasJsonBody }) => hasJsonBody,
  },
];

/** Every convention about error codes. */
export const ERROR_CONVENTIONS: readonly ErrorConvention[] = [...COMMON_ERRORS, ...CONTENT_ERRORS];

/** The conventions about resources of no kind, which are those about every resource. */
const ABOUT_ALL = ERROR_CONVENTIONS.filter(({ kinds }) => kinds === undefined);

/** The conventions about each kind of resource, so that an operation is not compared with all of them. */
const BY_KIND: ReadonlyMap<string, readonly ErrorConvention[]> = new Map(
  [...new Set(ERROR_CONVENTIONS.flatMap(({ kinds = [] }) => kinds))].map((kind) => [
    kind,
    ERROR_CONVENTIONS.filter(({ kinds }) => kinds === undefined || kinds.includes(kind)),
  ]),
);

/** Lists the codes of the errors that an operation may send by convention. The site may send others. */
export function listErrorCodes(facts: ErrorFacts): readonly string[] {
  const conventions = BY_KIND.get(facts.convention?.kind ?? '') ?? ABOUT_ALL;
  return conventions.flatMap(({ codes, methods, when }) => {
    const applies =
      (methods === undefined || methods.includes(facts.method)) && (when === undefined || when(facts));
    return applies ? codes : [];
  });
}

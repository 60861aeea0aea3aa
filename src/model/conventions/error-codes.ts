import { CONTENT_ERRORS } from './content-errors.ts';
import type { ErrorConvention, ErrorFacts } from './error-convention.ts';

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

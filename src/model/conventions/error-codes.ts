import data from './error-codes.json' with { type: 'json' };
import type { ResourceConvention } from './resource-conventions.ts';

/** What decides which errors an operation may send. */
export interface ErrorFacts {
  readonly method: string;
  /** The pattern of the route, as the index states it. */
  readonly route: string;
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

/** The conditions of `error-codes.json`. */
const CONDITIONS = {
  item: ({ isItem }) => isItem,
  creation: ({ isItem, method }) => method === 'POST' && !isItem,
  list: ({ kind }) => kind === 'list',
  pages: ({ hasPages, kind }) => hasPages && kind === 'list',
  context: ({ hasContext }) => hasContext,
  singleton: ({ isItem, kind }) => !isItem && kind !== 'list' && kind !== 'created',
  arguments: ({ hasArguments }) => hasArguments,
  required: ({ hasRequired }) => hasRequired,
  body: ({ hasJsonBody }) => hasJsonBody,
} as const satisfies Readonly<Record<string, (facts: ErrorFacts) => boolean>>;

const SCOPE =
  /^(?<methods>[A-Z]+(?: [A-Z]+)*)? ?(?:of (?<kinds>.+?))? ?(?:at (?<routes>\S+))? ?(?:if (?<when>\w+))?$/;

/** Error codes, what sends them, and when. An entry without a condition applies to every operation of its kinds. */
interface ErrorConvention {
  readonly codes: readonly string[];
  readonly source: string;
  /** Kinds of resources; absent: every operation, also of plugins. */
  readonly kinds: readonly string[] | undefined;
  /** Matches the patterns of a plugin's routes; absent: every route. */
  readonly routes: RegExp | undefined;
  readonly methods: readonly string[] | undefined;
  readonly when: ((facts: ErrorFacts) => boolean) | undefined;
}

/**
 * Every convention about error codes. The data has the sources by codes, and those by what they apply to: methods, kinds of
 * resources, routes and a condition (`GET HEAD of post term at ^/wc/ if item`).
 */
export const ERROR_CONVENTIONS: readonly ErrorConvention[] = Object.entries<Readonly<Record<string, string>>>(
  data,
).flatMap(([scope, sources]) => {
  const { kinds, methods, routes, when } = SCOPE.exec(scope)?.groups ?? {};
  return Object.entries(sources).map(([codes, source]) => ({
    codes: codes.split(' '),
    source,
    kinds: kinds?.split(' '),
    routes: routes === undefined ? undefined : new RegExp(routes),
    methods: methods?.split(' '),
    when: Object.entries(CONDITIONS).find(([name]) => name === when)?.[1],
  }));
});

/** Patterns of known plugins are shorter. */
const MAX_ROUTE_LENGTH = 200;

/** Lists the codes of the errors that an operation may send by convention. The site may send others. */
export function listErrorCodes(facts: ErrorFacts): readonly string[] {
  const kind = facts.convention?.kind ?? '';
  return ERROR_CONVENTIONS.flatMap(({ codes, kinds, methods, routes, when }) => {
    const applies =
      (kinds === undefined || kinds.includes(kind)) &&
      (methods === undefined || methods.includes(facts.method)) &&
      (when === undefined || when(facts)) &&
      (routes === undefined || routes.test(facts.route.slice(0, MAX_ROUTE_LENGTH)));
    return applies ? codes : [];
  });
}

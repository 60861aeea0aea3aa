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

/** The conventions about resources of no kind, which are those about every resource. */
const ABOUT_ALL = ERROR_CONVENTIONS.filter(({ kinds }) => kinds === undefined);

/** The conventions about each kind of resource, so that an operation is not compared with all of them. */
const BY_KIND: ReadonlyMap<string, readonly ErrorConvention[]> = new Map(
  [...new Set(ERROR_CONVENTIONS.flatMap(({ kinds }) => kinds ?? []))].map((kind) => [
    kind,
    ERROR_CONVENTIONS.filter(({ kinds }) => kinds === undefined || kinds.includes(kind)),
  ]),
);

/** Patterns of known plugins are shorter. */
const MAX_ROUTE_LENGTH = 200;

/** Lists the codes of the errors that an operation may send by convention. The site may send others. */
export function listErrorCodes(facts: ErrorFacts): readonly string[] {
  const conventions = BY_KIND.get(facts.convention?.kind ?? '') ?? ABOUT_ALL;
  return conventions.flatMap(({ codes, methods, routes, when }) => {
    const applies =
      (methods === undefined || methods.includes(facts.method)) &&
      (when === undefined || when(facts)) &&
      (routes === undefined || routes.test(facts.route.slice(0, MAX_ROUTE_LENGTH)));
    return applies ? codes : [];
  });
}

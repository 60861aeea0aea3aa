import type { IndexEndpoint } from '../../discovery/site.ts';
import type { JsonObject } from '../../json.ts';
import type { KnownResponse } from '../site.ts';
import data from './known-responses.json' with { type: 'json' };
import { expandSchema } from './schema-notation.ts';

export interface OperationFacts {
  readonly method: string;
  /** The path template with its parameters' names removed: `/wp/v2/posts/{}`. */
  readonly anonymousTemplate: string;
  readonly namespace: string;
  /** The title of the route's schema; empty if it has none. */
  readonly title: string;
  readonly endpoint: IndexEndpoint;
}

/** A response that WordPress fixes for every site and that no index describes. */
interface KnownResponseConvention {
  readonly name: string;
  readonly schema: JsonObject;
  readonly source: string;
  readonly method: string;
  /** The path without names of parameters. `*` stands for a part of it, `{namespace}` for the route's namespace. */
  readonly path: string;
  /** The arguments that only WordPress' own route declares. */
  readonly args?: string;
  /** Whether the route states no schema. */
  readonly isUntitled?: boolean;
  readonly title?: string;
  /** @default 200 */
  readonly status?: string;
  readonly isPagedList?: boolean;
  /** @default application/json */
  readonly mediaType?: string;
}

const DEFINITIONS: JsonObject = data.definitions;

/** One link, as WP_REST_Server::get_response_links() writes it. */
export const LINK_SCHEMA: JsonObject = expandSchema('#Link', DEFINITIONS);

/** The first entry that matches applies. */
export const KNOWN_RESPONSES: readonly KnownResponseConvention[] = data.responses.map((response) => ({
  ...response,
  schema: expandSchema(response.schema, DEFINITIONS),
}));

/** Finds the response of an operation that WordPress fixes. `HEAD` runs `GET`. */
export function findKnownResponse(facts: OperationFacts): KnownResponse | undefined {
  const method = facts.method === 'HEAD' ? 'GET' : facts.method;
  const known = KNOWN_RESPONSES.find((each) => each.method === method && isResponseOf(each, facts));
  if (known === undefined) return undefined;
  const isList = known.isPagedList === true;
  const { mediaType = 'application/json', name, schema, status = '200' } = known;
  return { kind: 'known', name, schema, status, mediaType, isList, isPaged: isList };
}

function isResponseOf(
  { args, isUntitled = false, path, title: expected }: KnownResponseConvention,
  { anonymousTemplate, endpoint, namespace, title }: OperationFacts,
): boolean {
  const [start = '', end] = path.replace('{namespace}', () => namespace).split('*');
  const isPath =
    end === undefined
      ? anonymousTemplate === start
      : anonymousTemplate.startsWith(start) &&
        anonymousTemplate.endsWith(end) &&
        (start === '' || /^[\w-]+$/.test(anonymousTemplate.slice(start.length)));
  if (!isPath || (isUntitled && title !== '') || (expected ?? title) !== title) return false;
  // `register_route()` adds the index of a namespace to each, with the name as the default of an argument.
  return args === 'namespace'
    ? endpoint.args.some(({ declaration, name }) => name === args && declaration['default'] === namespace)
    : args === undefined || declares(endpoint, args.split(' '));
}

function declares({ args }: IndexEndpoint, names: readonly string[]): boolean {
  return names.every((name) => args.some((argument) => argument.name === name));
}

/** A route without a schema that returns the resource of another route. */
interface BorrowedResponseConvention {
  readonly source: string;
  readonly segment: string;
  /** The arguments that only WordPress' own route declares. */
  readonly args?: string;
  /** The path of the route with the schema, relative to the path without its last segment. @default that path */
  readonly lender?: string;
  /** Whether the response is an object without members if there is no resource. */
  readonly isMaybeEmpty?: boolean;
  /** The context in which a `POST` shows the resource that it creates. */
  readonly createdIn?: string;
  /** The context in which a `POST` shows the resource that it updates. */
  readonly updatedIn?: string;
}

export const BORROWED_RESPONSES: readonly BorrowedResponseConvention[] = data.borrowed;

/** Where the schema of a route without one is found: the anonymous template of the route that has it. */
export type LendingRoute = BorrowedResponseConvention & { readonly template: string };

/** Finds the route whose resource a route without a schema returns. */
export function findLendingRoute(
  anonymousTemplate: string,
  endpoints: readonly IndexEndpoint[],
): LendingRoute | undefined {
  const slash = anonymousTemplate.lastIndexOf('/');
  const segment = anonymousTemplate.slice(slash + 1);
  const found = BORROWED_RESPONSES.find(
    ({ args, segment: expected }) =>
      expected === segment &&
      endpoints.every((endpoint) => args === undefined || declares(endpoint, args.split(' '))),
  );
  return found && { ...found, template: anonymousTemplate.slice(0, slash) + (found.lender ?? '') };
}

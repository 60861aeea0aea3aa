import type { JsonObject } from '../../../base/json.ts';
import type { IndexEndpoint } from '../../discovery/site.ts';
import type { KnownResponse } from '../site.ts';
import data from './known-responses.json' with { type: 'json' };
import { expandSchema } from './schema-notation.ts';

export interface OperationFacts {
  readonly method: string;
  readonly anonymousTemplate: string;
  readonly namespace: string;
  readonly title: string;
  readonly endpoint: IndexEndpoint;
}

interface KnownResponseConvention {
  readonly name: string;
  readonly schema: JsonObject;
  readonly source: string;
  readonly method: string;
  /** Without parameter names. `*`: part of the path. `{namespace}`: the route's namespace. */
  readonly path: string;
  readonly args?: string;
  readonly isUntitled?: boolean;
  readonly title?: string;
  readonly status?: string;
  readonly isPagedList?: boolean;
  readonly mediaType?: string;
}

const DEFINITIONS: JsonObject = data.definitions;

export const LINK_SCHEMA: JsonObject = expandSchema('#Link', DEFINITIONS);

const KNOWN_RESPONSES: readonly KnownResponseConvention[] = data.responses.map((response) => ({
  ...response,
  schema: expandSchema(response.schema, DEFINITIONS),
}));

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
  return args === 'namespace'
    ? endpoint.args.some(({ declaration, name }) => name === args && declaration['default'] === namespace)
    : args === undefined || declares(endpoint, args.split(' '));
}

function declares({ args }: IndexEndpoint, names: readonly string[]): boolean {
  return names.every((name) => args.some((argument) => argument.name === name));
}

/** A route without a schema that returns another route's resource. */
interface BorrowedResponseConvention {
  readonly source: string;
  readonly segment: string;
  readonly args?: string;
  /** Path of the route with the schema, relative to the path without its last segment. @default that path */
  readonly lender?: string;
  readonly isMaybeEmpty?: boolean;
  readonly createdIn?: string;
  readonly updatedIn?: string;
}

const BORROWED_RESPONSES: readonly BorrowedResponseConvention[] = data.borrowed;

export type LendingRoute = BorrowedResponseConvention & { readonly template: string };

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

import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { type BoardState, boardDefinition } from '../../../src/example/boards/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/json.ts';
import type { RouteDeclaration } from '../../../src/rest-server/declarations.ts';
import {
  type BoardClient,
  type CallOptions,
  type CallResponse,
  memberAt,
  startBoardClient,
} from './board-client.ts';

/** An operation with a call that succeeds and one that is rejected. */
export interface OperationCase {
  readonly method: string;
  readonly path: string;
  /** Calls that prepare the site; by the administrator unless `as` is set. */
  readonly before?: readonly (readonly [method: string, path: string, options?: CallOptions])[];
  /** By the administrator unless `as` is set; expects 200 unless `status` is set. */
  readonly accepted?: CallOptions & { readonly status?: number };
  /** By the administrator unless `as` is set. */
  readonly refused: CallOptions & { readonly path?: string; readonly status: number; readonly code: string };
}

type BoardRoute = RouteDeclaration<BoardState>;

/** Returns the routes whose paths match, of those from `first` up to `end` in the order of the index. */
export function findRoutes(pattern: RegExp, first?: string, end?: string): readonly BoardRoute[] {
  const all = boardDefinition.declarations.flatMap(({ routes }) => routes);
  const at = (path: string): number => all.findIndex(({ route }) => route === path);
  return all
    .slice(first === undefined ? 0 : at(first), end === undefined ? undefined : at(end))
    .filter(({ route }) => pattern.test(route));
}

/** Tests both calls of each operation on a new site, and that the table covers every operation of the routes. */
export function testOperations(
  name: string,
  routes: readonly BoardRoute[],
  table: readonly OperationCase[],
): void {
  describe(name, () => {
    const titles = table.map((row) => [`${row.method} ${row.path}`, row] as const);

    test.each(titles)('%s', async (_, row) => {
      const response = await checkOperationCase(startBoardClient(), row);
      expectAsDescribed(findRoute(routes, row.method, row.path), response.body);
    });

    test('the table covers every operation', () => {
      const operations = routes.flatMap((route) =>
        route.endpoints.flatMap(({ methods }) => methods.map((method) => `${method} ${route.route}`)),
      );
      const called = table.map(({ method, path }) => `${method} ${findRoute(routes, method, path)?.route}`);
      expect([...called].sort()).toEqual([...operations].sort());
    });
  });
}

/** Makes both calls of an operation and checks them; returns the successful response. */
export async function checkOperationCase(
  { call }: Pick<BoardClient, 'call'>,
  { method, path, before = [], accepted = {}, refused }: OperationCase,
): Promise<CallResponse> {
  for (const [first, where, options] of before) {
    expect((await call(first, where, { as: 'admin', ...options })).status).toBeLessThan(300);
  }
  const refusal = await call(method, refused.path ?? path, { as: 'admin', ...refused });
  expect([refusal.status, memberAt(refusal.body, 'code')]).toEqual([refused.status, refused.code]);
  expect(memberAt(refusal.body, 'message')).toEqual(expect.any(String));
  const response = await call(method, path, { as: 'admin', ...accepted });
  expect([response.status, response.body]).toEqual([accepted.status ?? 200, expect.anything()]);
  return response;
}

function findRoute(routes: readonly BoardRoute[], method: string, path: string): BoardRoute | undefined {
  return routes.find(
    ({ route, endpoints }) =>
      endpoints.some(({ methods }) => methods.some((each) => each === method)) &&
      new RegExp(`^${route.replaceAll('(?P<', '(?<')}$`).test(path),
  );
}

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/** Expects a response with exactly the properties of the schema of the route. */
function expectAsDescribed(route: BoardRoute | undefined, body: Json): void {
  const { $schema: _, ...schema } = route?.schema ?? {};
  const text = JSON.stringify(schema);
  const isValid = compiled.get(text) ?? ajv.compile(forbidUnknownMembers(schema));
  compiled.set(text, isValid);
  for (const item of [body].flat()) {
    const shown = isJsonObject(item) && item['deleted'] === true ? item['previous'] : item;
    if (!isValid(shown)) expect(isValid.errors).toBeNull();
  }
}

/** Returns the same schema with `additionalProperties: false` in every object. */
function forbidUnknownMembers(schema: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (_, value) =>
      isJsonObject(value) && isJsonObject(value['properties']) && !('additionalProperties' in value)
        ? { ...value, additionalProperties: false }
        : value,
    ),
  );
}

/** Finds the first item that matches. */
export function findFirst<T>(things: ReadonlyMap<number, T>, wanted: (thing: T) => boolean): T {
  for (const thing of things.values()) if (wanted(thing)) return thing;
  throw new Error('the generated site has no such item');
}

/** Returns the number that the next item of a collection gets. */
export function peekNextId(state: BoardState, kind: 'replies' | 'timeTracks'): number {
  return state[kind].lastId + 1;
}

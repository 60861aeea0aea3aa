import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { BoardState } from '../../../src/example/boards/model/index.ts';
import type { BoardRoute } from '../../../src/example/boards/rest/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/json.ts';
import { type Answered, type Asked, at, type Boards, startBoards } from './asking.ts';

/** An operation with a call that succeeds and one that does not. */
export interface Case {
  readonly method: string;
  readonly path: string;
  /** Calls by the administrator that come before. */
  readonly before?: readonly (readonly [method: string, path: string, asked?: Asked])[];
  /** By the administrator where nobody is named; 200 where no status is. */
  readonly good?: Asked & { readonly status?: number };
  /** By the administrator where nobody is named. */
  readonly bad: Asked & { readonly path?: string; readonly status: number; readonly code: string };
}

/** Calls each operation, well and badly, on a site of its own, and checks that the table leaves none out. */
export function testOperations(name: string, routes: readonly BoardRoute[], table: readonly Case[]): void {
  describe(name, () => {
    const titles = table.map((row) => [`${row.method} ${row.path}`, row] as const);

    test.each(titles)('%s', async (_, row) => {
      const answered = await checkCase(startBoards(), row);
      expectAsDescribed(routeOf(routes, row.method, row.path), answered.body);
    });

    test('leave none out', () => {
      const operations = routes.flatMap((route) =>
        route.endpoints.flatMap(({ methods }) => methods.map((method) => `${method} ${route.route}`)),
      );
      const called = table.map(({ method, path }) => `${method} ${routeOf(routes, method, path)?.route}`);
      expect([...called].sort()).toEqual([...operations].sort());
    });
  });
}

/** Makes the calls of an operation, and checks what comes of them; the answer to the good one. */
export async function checkCase(
  { ask }: Pick<Boards, 'ask'>,
  { method, path, before = [], good = {}, bad }: Case,
): Promise<Answered> {
  for (const [first, where, asked] of before) {
    expect((await ask(first, where, { as: 'admin', ...asked })).status).toBeLessThan(300);
  }
  const refused = await ask(method, bad.path ?? path, { as: 'admin', ...bad });
  expect([refused.status, at(refused.body, 'code')]).toEqual([bad.status, bad.code]);
  expect(at(refused.body, 'message')).toEqual(expect.any(String));
  const answered = await ask(method, path, { as: 'admin', ...good });
  expect([answered.status, answered.body]).toEqual([good.status ?? 200, expect.anything()]);
  return answered;
}

function routeOf(routes: readonly BoardRoute[], method: string, path: string): BoardRoute | undefined {
  return routes.find(
    ({ route, endpoints }) =>
      endpoints.some(({ methods }) => methods.some((each) => each === method)) &&
      new RegExp(`^${route.replaceAll('(?P<', '(?<')}$`).test(path),
  );
}

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

/** An answer is what the route's schema says, has all that it says, and nothing besides. */
function expectAsDescribed(route: BoardRoute | undefined, body: Json): void {
  const { $schema: _, ...schema } = route?.schema ?? {};
  const isValid = ajv.compile(closed(schema));
  for (const item of [body].flat()) {
    const shown = isJsonObject(item) && item['deleted'] === true ? item['previous'] : item;
    if (!isValid(shown)) expect(isValid.errors).toBeNull();
  }
}

/** The same schema, without room for members that it does not name. */
function closed(schema: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (_, value) =>
      isJsonObject(value) && isJsonObject(value['properties']) && !('additionalProperties' in value)
        ? { ...value, additionalProperties: false }
        : value,
    ),
  );
}

/** The first of a kind that is as wanted. */
export function first<T>(things: ReadonlyMap<number, T>, wanted: (thing: T) => boolean): T {
  for (const thing of things.values()) if (wanted(thing)) return thing;
  throw new Error('the generated site has none of these');
}

/** The number that the next of a kind gets. */
export function nextNumber(state: BoardState, kind: Parameters<BoardState['lastIds']['get']>[0]): number {
  return (state.lastIds.get(kind) ?? 0) + 1;
}

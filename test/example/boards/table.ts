import { describe, expect, test } from 'vitest';
import type { BoardRoute } from '../../../src/example/boards/routes.ts';
import type { BoardState } from '../../../src/example/boards/types.ts';
import { isJsonObject } from '../../../src/json.ts';
import { type Asked, at, startBoards } from './asking.ts';

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

    test.each(titles)('%s', async (_, { method, path, before = [], good = {}, bad }) => {
      const { ask } = startBoards();
      for (const [first, where, asked] of before) {
        expect((await ask(first, where, { as: 'admin', ...asked })).status).toBeLessThan(300);
      }
      const refused = await ask(method, bad.path ?? path, { as: 'admin', ...bad });
      expect([refused.status, at(refused.body, 'code')]).toEqual([bad.status, bad.code]);
      expect(at(refused.body, 'message')).toEqual(expect.any(String));
      const answered = await ask(method, path, { as: 'admin', ...good });
      expect([answered.status, answered.body]).toEqual([good.status ?? 200, expect.anything()]);
      expectAsDescribed(routeOf(routes, method, path), answered.body);
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

function routeOf(routes: readonly BoardRoute[], method: string, path: string): BoardRoute | undefined {
  return routes.find(
    ({ route, endpoints }) =>
      endpoints.some(({ methods }) => methods.some((each) => each === method)) &&
      new RegExp(`^${route.replaceAll('(?P<', '(?<')}$`).test(path),
  );
}

/** Every member of an answer is a property of the route's schema, and the other way round. */
function expectAsDescribed(route: BoardRoute | undefined, body: unknown): void {
  const item = Array.isArray(body) ? body[0] : body;
  const shown = isJsonObject(item) && 'deleted' in item ? item['previous'] : item;
  if (shown === undefined) return;
  const properties = route?.schema?.['properties'];
  const members = isJsonObject(shown) ? Object.keys(shown) : [];
  expect(members.sort()).toEqual(isJsonObject(properties) ? Object.keys(properties).sort() : []);
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

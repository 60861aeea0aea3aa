import { describe, expect, test } from 'vitest';
import { createContentClient } from './client.ts';
import { checkOperation, OPERATIONS } from './operations.ts';

describe('every operation of the content site', () => {
  test.each(OPERATIONS.map((operation) => [`${operation.method} ${operation.route}`, operation] as const))(
    '%s succeeds and fails as listed',
    (_, operation) => checkOperation(createContentClient(), operation),
  );

  test('is in the table, and the table has no other operations', async () => {
    const { body } = await createContentClient().call({ route: '/' });
    const routes = Object.entries<{ methods: string[] }>(body.routes).flatMap(([pattern, { methods }]) =>
      methods.map((method) => `${method} ${pattern.replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}')}`),
    );
    const own = routes.filter(
      (route) => /\/(core\/v2|ext-a\/v1|v1|ai\/v1)\/(?!v\d)/.test(route) && !route.includes('/batch/'),
    );
    expect([...new Set(OPERATIONS.map(({ method, route }) => `${method} ${route}`))].sort()).toEqual(
      own.sort(),
    );
    expect(routes).toHaveLength(67);
  });
});

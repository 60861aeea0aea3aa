import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATIONS } from './content/operations.ts';
import { type RunningExample, startExample } from './gateway/running.ts';
import { type BodyCheck, createBodyCheck } from './support/body-check.ts';
import { createOperationProofs, type Mount } from './support/operation-proofs.ts';
import { BOARD_OPERATIONS, CONTENT_OPERATIONS, type SeedOperation } from './support/seed-operations.ts';

let example: RunningExample;
let isDescribed: Readonly<Record<Mount, BodyCheck>>;
beforeAll(async () => {
  example = await startExample();
  const documentOf = async (mount: Mount): Promise<BodyCheck> =>
    createBodyCheck(await (await fetch(`${example.origin}/${mount}/openapi.json`)).json());
  isDescribed = { content: await documentOf('content'), boards: await documentOf('boards') };
});
afterAll(() => example.stop());

/** The spellings of `/index.php?rest_route=/core/v2/posts&page=2` below a mount. */
const SPELLINGS: Readonly<Record<string, (address: string) => string>> = {
  'the address that the site documents': (address) => address,
  // The `/` of the mount is the front page of the site, which the gateway forwards.
  'the path of the document': (address) =>
    address
      .replace(/^\/index\.php\?rest_route=\/?(?=&|$)/, '/wp-json/')
      .replace('/index.php?rest_route=', '')
      .replace('&', '?'),
};

const proofs = createOperationProofs(() => example);

const DOCUMENTED_OPERATIONS: Readonly<Record<Mount, readonly SeedOperation[]>> = {
  content: CONTENT_OPERATIONS,
  boards: BOARD_OPERATIONS,
};

describe.each(['content', 'boards'] as const)('behind the gateway at /%s', (mount) => {
  // The data is created again after a write only, which takes as long as the calls.
  let isChanged = true;
  beforeEach(() => {
    if (isChanged) example[mount].reset();
    isChanged = false;
  });

  describe.each(Object.entries(SPELLINGS))('by %s', (_, spell) => {
    test.each(proofs[mount])('$operation succeeds and fails as documented', async ({ operation, run }) => {
      await run(async (address, init) => {
        const response = await fetch(`${example.origin}/${mount}${spell(address)}`, init);
        const method = String(init.method ?? 'GET');
        if (method !== 'GET') isChanged = true;
        if (isCallOf(operation, method, address) && response.status !== 204) {
          const body: unknown = await response.clone().json();
          expect(isDescribed[mount](operation, response.status, body)).toBeNull();
        }
        return response;
      });
      expect(example.faults).toEqual([]);
    });
  });

  test('exactly the documented operations have calls', () => {
    const called = new Set(proofs[mount].map(({ operation }) => operation));
    expect([...called].sort()).toEqual([...DOCUMENTED_OPERATIONS[mount]].sort());
  });
});

/** Whether a call belongs to the operation itself and not to its preparation. */
function isCallOf(operation: SeedOperation, method: string, address: string): boolean {
  const [, path = ''] = /rest_route=([^&]*)/.exec(address) ?? [];
  const [own = '', route = ''] = operation.split(' ');
  return own === method && new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** Operations whose bodies refer to earlier responses. The scenarios (`gateway/content-scenarios.test.ts`) cover them. */
const WORK_IN_SCENARIOS: readonly SeedOperation[] = [
  'POST /ext-a/v1/chat/model-step',
  'POST /ext-a/v1/chat/tools/execute',
  'POST /ext-a/v1/chat/approvals',
];

test('every operation of the content site has successful and rejected calls', () => {
  const of = (wanted: (status: number) => boolean) =>
    new Set(
      OPERATIONS.filter(({ cases }) => cases.some(([, status]) => wanted(status))).map(
        ({ method, route }) => `${method} ${route}`,
      ),
    );
  const all = of(() => true);
  expect([...all].filter((each) => !of((status) => status >= 400).has(each))).toEqual([]);
  expect([...all].filter((each) => !of((status) => status < 300).has(each)).sort()).toEqual(
    [...WORK_IN_SCENARIOS].sort(),
  );
});

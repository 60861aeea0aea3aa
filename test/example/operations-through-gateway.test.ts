import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningExample, startExample } from './gateway/running.ts';
import { type BodyCheck, createBodyCheck } from './support/body-check.ts';
import { OPERATIONS } from './support/documented-operations.ts';
import { findOperation, type Mount, PROOFS, runCalls } from './support/operation-calls.ts';

let example: RunningExample;
let isDescribed: Readonly<Record<Mount, BodyCheck>>;
beforeAll(async () => {
  example = await startExample();
  const documentOf = async (mount: Mount): Promise<BodyCheck> =>
    createBodyCheck(
      await (await fetch(`${example.origin}/${mount}/openapi.json`)).json(),
      mount === 'boards',
    );
  isDescribed = { content: await documentOf('content'), boards: await documentOf('boards') };
});
afterAll(() => example.stop());

/**
 * The path of the document for `/index.php?rest_route=/core/v2/posts&page=2`. The `/` of the mount is the front page of the site, which
 * the gateway forwards. `test/reconcile/goal.test.ts` makes the same calls by the addresses that the sites document.
 */
const toPath = (address: string): string =>
  address
    .replace(/^\/index\.php\?rest_route=\/?(?=&|$)/, '/wp-json/')
    .replace('/index.php?rest_route=', '')
    .replace('&', '?');

describe.each(['content', 'boards'] as const)('behind the gateway at /%s', (mount) => {
  // The data is created again after a write only, which takes as long as the calls.
  let isChanged = true;
  beforeEach(() => {
    if (isChanged) example[mount].reset();
    isChanged = false;
  });

  test.each(PROOFS[mount])('$operation succeeds and fails as documented', async ({ operation, calls }) => {
    await runCalls(example, mount, calls, async (address, init) => {
      const response = await fetch(`${example.origin}/${mount}${toPath(address)}`, init);
      const method = String(init.method ?? 'GET');
      if (method !== 'GET') isChanged = true;
      const [, route = ''] = /rest_route=([^&]*)/.exec(address) ?? [];
      const isOwn = findOperation({ method, route }, OPERATIONS[mount]) === operation;
      if (isOwn && response.status !== 204) {
        const body: unknown = await response.clone().json();
        expect(isDescribed[mount](operation, response.status, body)).toBeNull();
      }
      return response;
    });
    expect(example.faults).toEqual([]);
  });

  test('exactly the documented operations have calls, of which some succeed and some are refused', () => {
    const having = (wanted: (status: number) => boolean): readonly string[] => {
      const found = PROOFS[mount].filter(({ calls }) => calls.some(({ status }) => wanted(status)));
      return [...new Set(found.map(({ operation }) => operation))].sort();
    };
    const documented = [...OPERATIONS[mount]].sort();
    expect(having((status) => status >= 400)).toEqual(documented);
    const working = documented.filter((operation) => !WORK_IN_SCENARIOS.includes(operation));
    expect(having((status) => status > 0 && status < 300)).toEqual(working);
  });
});

/** Operations whose bodies refer to earlier responses. The scenarios (`gateway/scenarios.test.ts`) cover them. */
const WORK_IN_SCENARIOS: readonly string[] = [
  'POST /ext-a/v1/chat/model-step',
  'POST /ext-a/v1/chat/tools/execute',
  'POST /ext-a/v1/chat/approvals',
];

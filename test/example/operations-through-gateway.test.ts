import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BOARD_CASES } from './boards/board-cases.ts';
import { createBoardClient } from './boards/board-client.ts';
import type { ExpectedCall } from './boards/expected-calls.ts';
import { CROSS_BOARD_CASES, ROADMAP_CASES, TIME_CASES } from './boards/feature-cases.ts';
import { LABEL_CASES, STAGE_CASES } from './boards/label-and-stage-cases.ts';
import { checkOperationCase } from './boards/operation-cases.ts';
import { ADMIN_CASES, USER_CASES } from './boards/settings-cases.ts';
import { TASK_CASES } from './boards/task-cases.ts';
import { createClientFor } from './content/client.ts';
import { checkOperation, OPERATIONS } from './content/operations.ts';
import { createAuthorizationHeader, type RunningExample, startExample } from './gateway/running.ts';
import { createServerCases, type ServerCase } from './gateway/server-cases.ts';
import { type BodyCheck, createBodyCheck } from './support/body-check.ts';
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

type Send = (address: string, init: RequestInit) => Promise<Response>;
type Mount = 'content' | 'boards';

/** The calls of an operation, which run in sequence. */
interface OperationProof {
  readonly operation: SeedOperation;
  readonly run: (send: Send) => Promise<void>;
}

const BOTH_CASES = [...TASK_CASES, ...TIME_CASES, ...ROADMAP_CASES, ...CROSS_BOARD_CASES];
const PAIRS = [...BOARD_CASES, ...LABEL_CASES, ...STAGE_CASES, ...ADMIN_CASES, ...USER_CASES];

const PROOFS: Readonly<Record<Mount, readonly OperationProof[]>> = {
  content: [
    ...createServerCases({
      name: 'Harbour Notes',
      namespaces: ['oembed/1.0', 'ext-a/v1', 'v1', 'ai/v1', 'core/v2'],
      batched: ['/core/v2/posts', 201],
    }).map((row) => createServerProof('content', row)),
    ...OPERATIONS.map(
      (operation): OperationProof => ({
        operation: `${operation.method} ${operation.route}`,
        run: (send) => checkOperation(createClientFor(example.content, send), operation),
      }),
    ),
  ],
  boards: [
    ...createServerCases({
      name: 'Example Boards',
      namespaces: ['oembed/1.0', 'boards/v2'],
      batched: ['/boards/v2/projects', 400],
    }).map((row) => createServerProof('boards', row)),
    ...BOTH_CASES.map(
      (row): OperationProof => ({
        operation: `${row.method} ${routeOf(row.method, `/boards/v2${row.path}`)}`,
        run: async (send) => void (await checkOperationCase(createBoardClient(example.boards, send), row)),
      }),
    ),
    ...PAIRS.map(([written, works, refused]): OperationProof => {
      const [method = '', route = ''] = written.split(' ');
      return {
        operation: `${method} /boards/v2${route.replace(/\{(\w+):\w+\}/g, '{$1}')}`,
        async run(send) {
          await checkCall(send, method, refused);
          await checkCall(send, method, works);
        },
      };
    }),
  ],
};

const DOCUMENTED_OPERATIONS: Readonly<Record<Mount, readonly SeedOperation[]>> = {
  content: CONTENT_OPERATIONS,
  boards: BOARD_OPERATIONS,
};

describe.each(['content', 'boards'] as const)('behind the gateway at /%s', (mount) => {
  beforeEach(() => example[mount].reset());

  describe.each(Object.entries(SPELLINGS))('by %s', (_, spell) => {
    test.each(PROOFS[mount])('$operation succeeds and fails as documented', async ({ operation, run }) => {
      await run(async (address, init) => {
        const response = await fetch(`${example.origin}/${mount}${spell(address)}`, init);
        const method = String(init.method ?? 'GET');
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
    const called = new Set(PROOFS[mount].map(({ operation }) => operation));
    expect([...called].sort()).toEqual([...DOCUMENTED_OPERATIONS[mount]].sort());
  });
});

/** Whether a call belongs to the operation itself and not to its preparation. */
function isCallOf(operation: SeedOperation, method: string, address: string): boolean {
  const [, path = ''] = /rest_route=([^&]*)/.exec(address) ?? [];
  const [own = '', route = ''] = operation.split(' ');
  return own === method && new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

function createServerProof(mount: Mount, { operation, accepted, refused }: ServerCase): OperationProof {
  const [method = '', route = ''] = operation.split(' ');
  return {
    operation,
    async run(send) {
      const page = await pageOf(mount);
      for (const { query, login, wrongPassword, json, status, expectedBody } of [refused, accepted]) {
        const filled = query?.replace('{page}', encodeURIComponent(page));
        const response = await send(
          `/index.php?rest_route=${route}${filled === undefined ? '' : `&${filled}`}`,
          {
            method,
            headers: {
              ...(login === undefined ? {} : createAuthorizationHeader(login)),
              ...(wrongPassword === true ? { authorization: `Basic ${btoa('admin:guessed')}` } : {}),
              ...(json === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(json === undefined ? {} : { body: JSON.stringify(json) }),
          },
        );
        expect({ status: response.status, body: await response.json() }).toMatchObject({
          status,
          body: expectedBody,
        });
      }
    },
  };
}

/** The URL of a public page of a site, for oEmbed. */
async function pageOf(mount: Mount): Promise<string> {
  if (mount === 'boards') return `${example.siteUrls.boards}boards/3/`;
  const posts = await fetch(`${example.siteUrls.content}index.php?rest_route=/core/v2/posts&per_page=1`);
  const [post] = await posts.json();
  return post.link;
}

/** Converts a call of the board tables. Path values are looked up in the data of the site. */
async function checkCall(
  send: Send,
  method: string,
  [as, path, status, options = {}, expectedBody]: ExpectedCall,
): Promise<void> {
  const labelled = [...example.boards.state().tasks.values()].find(
    (task) => task.boardId === 1 && task.labels.length > 0 && task.archivedAt === null,
  );
  const filled = path
    .replace('{labelled}', String(labelled?.id))
    .replace('{its label}', String(labelled?.labels[0]));
  const { call } = createBoardClient(example.boards, send);
  const response = await call(method, filled, { as, ...options });
  const shown =
    Array.isArray(response.body) && Array.isArray(expectedBody)
      ? response.body.slice(0, expectedBody.length)
      : response.body;
  expect({ status: response.status, body: shown }).toMatchObject({
    status,
    ...(expectedBody === undefined ? {} : { body: expectedBody }),
  });
}

/** Finds the documented route of a path. Literal segments precede parameters. */
function routeOf(method: string, path: string): string | undefined {
  return BOARD_OPERATIONS.filter((operation) => operation.startsWith(`${method} `))
    .map((operation) => operation.slice(method.length + 1))
    .filter((route) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .sort((one, other) => one.split('{').length - other.split('{').length)[0];
}

/** Operations whose bodies refer to earlier responses. The scenarios (`gateway/content-scenarios.test.ts`) cover them. */
const WORK_IN_SCENARIOS: readonly SeedOperation[] = [
  'POST /ext-a/v1/chat/model-step',
  'POST /ext-a/v1/chat/tools/execute',
  'POST /ext-a/v1/chat/approvals',
  'POST /core/v2/media/{id}/edit',
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

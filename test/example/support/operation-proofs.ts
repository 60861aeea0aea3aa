import { expect } from 'vitest';
import { BOARD_CASES } from '../boards/board-cases.ts';
import { createBoardClient } from '../boards/board-client.ts';
import type { ExpectedCall } from '../boards/expected-calls.ts';
import { CROSS_BOARD_CASES, ROADMAP_CASES, TIME_CASES } from '../boards/feature-cases.ts';
import { LABEL_CASES, STAGE_CASES } from '../boards/label-and-stage-cases.ts';
import { checkOperationCase } from '../boards/operation-cases.ts';
import { ADMIN_CASES, USER_CASES } from '../boards/settings-cases.ts';
import { TASK_CASES } from '../boards/task-cases.ts';
import { createClientFor } from '../content/client.ts';
import { checkOperation, OPERATIONS } from '../content/operations.ts';
import { createAuthorizationHeader, type RunningExample } from '../gateway/running.ts';
import { createServerCases, type ServerCase } from '../gateway/server-cases.ts';
import { BOARD_OPERATIONS, type SeedOperation } from './seed-operations.ts';

type Send = (address: string, init: RequestInit) => Promise<Response>;
export type Mount = 'content' | 'boards';

/** The calls of an operation, which run in sequence. */
export interface OperationProof {
  readonly operation: SeedOperation;
  readonly run: (send: Send) => Promise<void>;
}

const BOTH_CASES = [...TASK_CASES, ...TIME_CASES, ...ROADMAP_CASES, ...CROSS_BOARD_CASES];
const PAIRS = [...BOARD_CASES, ...LABEL_CASES, ...STAGE_CASES, ...ADMIN_CASES, ...USER_CASES];

/**
 * Creates the calls of every operation of both sites.
 *
 * @param getExample the sites, once they have started
 */
export function createOperationProofs(
  getExample: () => RunningExample,
): Readonly<Record<Mount, readonly OperationProof[]>> {
  return {
    content: [
      ...createServerCases({
        name: 'Harbour Notes',
        namespaces: ['oembed/1.0', 'ext-a/v1', 'v1', 'ai/v1', 'core/v2'],
        batched: ['/core/v2/posts', 201],
      }).map((row) => createServerProof(getExample, 'content', row)),
      ...OPERATIONS.map(
        (operation): OperationProof => ({
          operation: `${operation.method} ${operation.route}`,
          run: (send) => checkOperation(createClientFor(getExample().content, send), operation),
        }),
      ),
    ],
    boards: [
      ...createServerCases({
        name: 'Example Boards',
        namespaces: ['oembed/1.0', 'boards/v2'],
        batched: ['/boards/v2/projects', 400],
      }).map((row) => createServerProof(getExample, 'boards', row)),
      ...BOTH_CASES.map(
        (row): OperationProof => ({
          operation: `${row.method} ${routeOf(row.method, `/boards/v2${row.path}`)}`,
          run: async (send) =>
            void (await checkOperationCase(createBoardClient(getExample().boards, send), row)),
        }),
      ),
      ...PAIRS.map(([written, works, refused]): OperationProof => {
        const [method = '', route = ''] = written.split(' ');
        return {
          operation: `${method} /boards/v2${route.replace(/\{(\w+):\w+\}/g, '{$1}')}`,
          async run(send) {
            await checkCall(getExample(), send, method, refused);
            await checkCall(getExample(), send, method, works);
          },
        };
      }),
    ],
  };
}

function createServerProof(
  getExample: () => RunningExample,
  mount: Mount,
  { operation, accepted, refused }: ServerCase,
): OperationProof {
  const [method = '', route = ''] = operation.split(' ');
  return {
    operation,
    async run(send) {
      const page = await pageOf(getExample(), mount);
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
async function pageOf(example: RunningExample, mount: Mount): Promise<string> {
  if (mount === 'boards') return `${example.siteUrls.boards}boards/3/`;
  const posts = await fetch(`${example.siteUrls.content}index.php?rest_route=/core/v2/posts&per_page=1`);
  const [post] = await posts.json();
  return post.link;
}

/** Converts a call of the board tables. Path values are looked up in the data of the site. */
async function checkCall(
  example: RunningExample,
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

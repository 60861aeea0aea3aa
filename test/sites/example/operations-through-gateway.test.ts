import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toJsonObject } from '../../../src/base/json.ts';
import { type RunningExample, startExample } from './gateway/running.ts';
import { type BodyCheck, createBodyCheck } from './support/body-check.ts';
import { OPERATIONS } from './support/documented-operations.ts';
import { findOperation, type Mount, PROOFS, runCalls } from './support/operation-calls.ts';

let example: RunningExample;
let isDescribed: Readonly<Record<Mount, BodyCheck>>;
beforeAll(async () => {
  example = await startExample('strict');
  const documentOf = async (mount: Mount): Promise<BodyCheck> =>
    createBodyCheck(
      await (await fetch(`${example.origin}/${mount}/openapi.json`)).json(),
      mount === 'boards',
    );
  isDescribed = { content: await documentOf('content'), boards: await documentOf('boards') };
});
afterAll(() => example.stop());

/**
 * The path of the document for `/index.php?rest_route=/core/v2/posts&page=2`. `test/generator/reconcile/goal.test.ts` makes the same calls by the
 * addresses that the sites document.
 */
const toPath = (address: string): string => address.replace('/index.php?rest_route=', '').replace('&', '?');

const PARAMETER_CODES = ['rest_invalid_param', 'rest_missing_callback_param'];

/** What the site itself refused for its parameters: `GET /a limit`. */
const forwarded: string[] = [];

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
        const { code, data } = toJsonObject(body);
        const { params } = toJsonObject(data);
        const isOfSite = response.headers.get('content-type')?.includes('problem+json') !== true;
        if (PARAMETER_CODES.includes(String(code)) && isOfSite)
          forwarded.push(`${operation} ${Object.keys(toJsonObject(params)).join()}`.trim());
        expect(isDescribed[mount](operation, response.status, body)).toBeNull();
      }
      return response;
    });
    expect(example.faults).toEqual([]);
  });

  test('strict forwards those of the refusals alone that the document cannot state', () => {
    expect(forwarded.splice(0).sort()).toEqual(Object.values(FORWARDED[mount]).flat().sort());
  });

  test('exactly the documented operations have calls, of which some succeed and some are refused', () => {
    const having = (wanted: (status: number) => boolean): readonly string[] => {
      const found = PROOFS[mount].filter(({ calls }) => calls.some(({ status }) => wanted(status)));
      return [...new Set(found.map(({ operation }) => operation))].sort();
    };
    const documented = [...OPERATIONS[mount]].sort();
    expect(having((status) => status >= 400)).toEqual(documented);
    const working = documented.filter((operation) => !TESTED_ELSEWHERE.includes(operation));
    expect(having((status) => status > 0 && status < 300)).toEqual(working);
  });
});

/** Operations whose bodies refer to earlier responses: `content/assistant.test.ts`. */
const TESTED_ELSEWHERE: readonly string[] = [
  'POST /ext-a/v1/chat/model-step',
  'POST /ext-a/v1/chat/tools/execute',
  'POST /ext-a/v1/chat/approvals',
];

/** What only the site can refuse, by the reason. */
const FORWARDED: Readonly<Record<Mount, Readonly<Record<string, readonly string[]>>>> = {
  content: {
    'each ability has arguments of its own': ['POST /ext-a/v1/abilities/{namespace}/{ability}/run'],
    'it depends on the user': ['GET /core/v2/posts status', 'GET /core/v2/pages status'],
  },
  boards: {
    'the site knows what it has': [
      'POST /boards/v2/projects/{board_id}/import-from-board source_board_id',
      'POST /boards/v2/projects/{board_id}/add-members user_ids',
      'POST /boards/v2/projects/{board_id}/labels/task label_id',
      'PUT /boards/v2/projects/{board_id}/re-position-stages stage_ids',
      'POST /boards/v2/admin/folders/{folder_id}/remove-board board_id',
      'POST /boards/v2/projects/{board_id}/tasks assignees',
      'PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-task stage_id',
      'POST /boards/v2/projects/{board_id}/tasks/{task_id}/clone-task stage_id',
      'POST /boards/v2/roadmaps/{board_id}/idea/{idea_id}/change-stage stage_id',
      'POST /boards/v2/admin/roadmap/page-settings page_id',
    ],
    'it depends on another argument': [
      'PUT /boards/v2/projects/{board_id}/update-board-properties value',
      'PUT /boards/v2/projects/{board_id}/update-stage-property/{stage_id} value',
      'PUT /boards/v2/projects/{board_id}/stage-move-all-task to_stage_id',
      'POST /boards/v2/projects/{board_id}/tasks/{task_id}/dates due_at',
      'POST /boards/v2/projects/{board_id}/tasks/bulk-actions priority',
      'GET /boards/v2/roadmaps/{board_id}/day-wise-ideas to',
    ],
    'a pattern does not know that February has no 30th': [
      'GET /boards/v2/projects/{board_id}/activities from',
      'GET /boards/v2/projects/timesheet/by-tasks from',
    ],
    'the text is blank': ['POST /boards/v2/projects/{board_id}/tasks/{task_id}/comments content'],
  },
};

test.each(['/boards/v2/projects/abc', '/boards/v2/none', '/boards/none'])(
  '%s, which no route matches, gets the error of the interface',
  async (path) => {
    const { status, headers } = await fetch(`${example.origin}/boards${path}`);
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([404, 'application/json']);
  },
);

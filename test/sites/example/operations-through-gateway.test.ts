import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toJsonObject } from '../../../src/base/json.ts';
import { createResponseSurvey } from '../../support/response-survey.ts';
import { callOperations } from '../support/call-operations.ts';
import { type RunningExample, startExample } from './gateway/running.ts';
import { findOperation, OPERATIONS, PROOFS, runCalls } from './support/operation-calls.ts';

let example: RunningExample;
const read = async (path: string) => (await fetch(`${example.origin}${path}`)).json();
beforeAll(async () => {
  example = await startExample('strict');
});

describe('at /boards, the mock of a recorded index', () => {
  test('answers each of its 163 operations, and refuses wrong arguments and unknown items', async () => {
    const results = await callOperations(await read('/boards/openapi.json'), (route, init) =>
      fetch(`${example.origin}/boards/wp-json${route}`, init),
    );
    expect(results).toMatchObject({ successes: 163, failed: [], notRefused: [] });
    expect(Math.min(...Object.values(results.refusals))).toBeGreaterThan(25);
  }, 60_000);

  test('shows its own boards and tasks, and links to the gateway', async () => {
    expect(await read('/boards/boards/v2/projects?per_page=2&search=site')).toMatchObject([
      { id: 1, title: 'Website relaunch', type: 'kanban' },
    ]);
    const [task] = await read('/boards/boards/v2/projects/1/tasks?per_page=1');
    expect(task).toMatchObject({
      board_id: 1,
      title: expect.stringMatching(/^(?:Design|Write|Review|Measure|Fix) /),
    });
    expect(await read(`/boards/boards/v2/projects/1/tasks/${task.id}`)).toMatchObject({ title: task.title });
    expect(await read('/boards/boards/v2/projects/1/tasks/999')).toMatchObject({ data: { status: 404 } });
    await fetch(`${example.origin}/boards/boards/v2/projects/1/tasks/${task.id}/move-task`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"stage_id":4}' },
    });
    const moved = await read(`/boards/boards/v2/projects/1/tasks/${task.id}?_fields=stage_id`);
    expect(moved).toEqual({ stage_id: 4 });
    const [{ board_id: board }] = (await read('/boards/boards/v2/projects/2')).stages;
    expect((await read(`/boards/boards/v2/projects/${board}`)).id).toBe(board);
    const index = await read('/boards/wp-json/?_fields=home');
    expect(index).toEqual({ home: `${example.origin}/boards` });
  });
});

const PARAMETER_CODES = ['rest_invalid_param', 'rest_missing_callback_param'];

/** What the site itself refused for its parameters: `GET /a limit`. */
const forwarded: string[] = [];

describe('at /content', () => {
  let described: ReturnType<typeof createResponseSurvey>;
  beforeAll(async () => {
    described = createResponseSurvey(await read('/content/openapi.json'));
  });

  // The data is created again after a write only, which takes as long as the calls.
  let isChanged = true;
  beforeEach(() => {
    if (isChanged) example.content.reset();
    isChanged = false;
  });

  test.each(PROOFS)('$operation succeeds and fails as documented', async ({ operation, calls }) => {
    await runCalls(example, calls, async (path, init) => {
      const response = await fetch(`${example.origin}/content${path}`, init);
      const method = String(init.method ?? 'GET');
      if (method !== 'GET') isChanged = true;
      const [route = ''] = path.split('?');
      const isOwn = findOperation({ method, route }) === operation;
      if (isOwn && response.status !== 204) {
        const body: unknown = await response.clone().json();
        const { code, data } = toJsonObject(body);
        const { params } = toJsonObject(data);
        const isOfSite = response.headers.get('content-type')?.includes('problem+json') !== true;
        if (PARAMETER_CODES.includes(String(code)) && isOfSite)
          forwarded.push(`${operation} ${Object.keys(toJsonObject(params)).join()}`.trim());
        const template = operation.replace(/^\S+ /, '');
        expect(described.record(method, template, response.status, '', Object(body))).toBe(true);
      }
      return response;
    });
    expect([...example.faults, ...described.survey.invalid]).toEqual([]);
  });

  test('strict forwards those of the refusals alone that the document cannot state', () => {
    expect(forwarded.splice(0).sort()).toEqual(Object.values(FORWARDED).flat().sort());
  });

  test('exactly the documented operations have calls, of which some succeed and some are refused', () => {
    const having = (wanted: (status: number) => boolean): readonly string[] => {
      const found = PROOFS.filter(({ calls }) => calls.some(({ status }) => wanted(status)));
      return [...new Set(found.map(({ operation }) => operation))].sort();
    };
    const documented = [...OPERATIONS].sort();
    // The mock of the plugin knows no link that it hasn't given.
    const refusing = documented.filter((operation) => operation !== 'GET /ext-a/v1/admin-access/{nonce}');
    expect(having((status) => status >= 400)).toEqual(refusing);
    expect(having((status) => status > 0 && status < 300)).toEqual(documented);
  });
});

/** What only the site can refuse, by the reason. */
const FORWARDED: Readonly<Record<string, readonly string[]>> = {
  'it depends on the user': ['GET /core/v2/posts status', 'GET /core/v2/pages status'],
};

test.each(['/boards/v2/projects/abc', '/boards/v2/none', '/boards/none'])(
  '%s, which no route matches, gets the error of the interface',
  async (path) => {
    const { status, headers } = await fetch(`${example.origin}/boards${path}`);
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([404, 'application/json']);
  },
);

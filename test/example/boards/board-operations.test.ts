import { beforeEach, describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../../src/json.ts';
import { BOARD_CASES } from './board-cases.ts';
import { type CallResponse, memberAt, startBoardClient } from './board-client.ts';
import type { ExpectedCall } from './expected-calls.ts';
import { LABEL_CASES, STAGE_CASES } from './label-and-stage-cases.ts';
import { ADMIN_CASES, USER_CASES } from './settings-cases.ts';

const { site, call } = startBoardClient();
const index: Json = await (await site.request('/index.php?rest_route=/&context=help')).json();

beforeEach(() => site.reset());

async function check(
  operation: string,
  [as, path, status, options = {}, expectedBody]: ExpectedCall,
): Promise<CallResponse> {
  const [method = ''] = operation.split(' ');
  const labelled = [...site.state().tasks.values()].find(
    (task) => task.boardId === 1 && task.labels.length > 0 && task.archivedAt === null,
  );
  const filled = path
    .replace('{labelled}', String(labelled?.id))
    .replace('{its label}', String(labelled?.labels[0]));
  const response = await call(method, filled, { as, ...options });
  const shown =
    Array.isArray(response.body) && Array.isArray(expectedBody)
      ? response.body.slice(0, expectedBody.length)
      : response.body;
  expect({ status: response.status, body: shown }).toMatchObject({
    status,
    ...(expectedBody === undefined ? {} : { body: expectedBody }),
  });
  return response;
}

/** Expects a response with exactly the properties of the schema of the route. */
function expectAsDescribed(operation: string, { body }: CallResponse): void {
  const item = Array.isArray(body) ? body[0] : (memberAt(body, 'previous') ?? body);
  if (!isJsonObject(item)) return;
  const [, path = ''] = operation.split(' ');
  const classes: Readonly<Record<string, string>> = { int: '[\\d]+', str: '[^\\s/]+' };
  const pattern = path.replace(/\{(\w+):(\w+)\}/g, (_, name, kind) => `(?P<${name}>${classes[kind]})`);
  const members = memberAt(index, 'routes', `/boards/v2${pattern}`, 'schema', 'properties');
  const wanted = Object.keys(isJsonObject(members) ? members : {});
  // Lists of boards omit these properties.
  const rest = ['stages', 'labels', 'members'].filter(
    (name) => wanted.includes('member_count') && !(name in item),
  );
  expect([...Object.keys(item), ...rest].sort()).toEqual(wanted.sort());
}

describe.each([
  ['boards', BOARD_CASES],
  ['labels', LABEL_CASES],
  ['stages', STAGE_CASES],
  ['administration', ADMIN_CASES],
  ['users', USER_CASES],
])('operations of %s', (_, cases) => {
  test.each(cases)('%s succeeds and responds as its schema describes', async (operation, works) => {
    expectAsDescribed(operation, await check(operation, works));
  });

  test.each(cases)('%s is rejected with an error', async (operation, _works, refused) => {
    await check(operation, refused);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../../src/json.ts';
import { type Answered, at, startBoards } from './asking.ts';
import { BOARD_CASES } from './board-cases.ts';
import type { Call } from './calls.ts';
import { LABEL_CASES, STAGE_CASES } from './part-cases.ts';
import { ADMIN_CASES, USER_CASES } from './settings-cases.ts';

const { site, ask } = startBoards();
const index: Json = await (await site.request('/index.php?rest_route=/&context=help')).json();

beforeEach(() => site.reset());

async function check(operation: string, [as, path, status, asked = {}, holds]: Call): Promise<Answered> {
  const [method = ''] = operation.split(' ');
  const labelled = [...site.state().tasks.values()].find(
    (task) => task.boardId === 1 && task.labels.length > 0 && task.archivedAt === null,
  );
  const filled = path
    .replace('{labelled}', String(labelled?.id))
    .replace('{its label}', String(labelled?.labels[0]));
  const answer = await ask(method, filled, { as, ...asked });
  const shown =
    Array.isArray(answer.body) && Array.isArray(holds) ? answer.body.slice(0, holds.length) : answer.body;
  expect({ status: answer.status, body: shown }).toMatchObject({
    status,
    ...(holds === undefined ? {} : { body: holds }),
  });
  return answer;
}

/** What comes back has every member that the route's schema names, and no other. */
function expectAsDescribed(operation: string, { body }: Answered): void {
  const item = Array.isArray(body) ? body[0] : (at(body, 'previous') ?? body);
  if (!isJsonObject(item)) return;
  const [, path = ''] = operation.split(' ');
  const classes: Readonly<Record<string, string>> = { int: '[\\d]+', str: '[^\\s(?!/)]+' };
  const pattern = path.replace(/\{(\w+):(\w+)\}/g, (_, name, kind) => `(?P<${name}>${classes[kind]})`);
  const members = at(index, 'routes', `/boards/v2${pattern}`, 'schema', 'properties');
  const wanted = Object.keys(isJsonObject(members) ? members : {});
  // Only one board that is read has these.
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
  test.each(cases)('%s works for whom it is meant, and answers as described', async (operation, works) => {
    expectAsDescribed(operation, await check(operation, works));
  });

  test.each(cases)('%s says why it refuses', async (operation, _works, refused) => {
    await check(operation, refused);
  });
});

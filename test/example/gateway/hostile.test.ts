import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAuthorizationHeader, type RunningExample, startExample } from './running.ts';

let example: RunningExample;
beforeAll(async () => {
  example = await startExample();
});
beforeEach(() => {
  example.content.reset();
  example.boards.reset();
});
afterEach(async () => {
  expect(example.faults).toEqual([]);
  expect((await fetch(`${example.origin}/content/core/v2/posts?per_page=1`)).status).toBe(200);
});
afterAll(() => example.stop());

const POSTS = '/content/core/v2/posts';
const TASKS = '/boards/boards/v2/projects/1/tasks';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sends a body as the editor. @returns the status, with the code of an error */
async function send(
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = JSON_TYPE,
  method = 'POST',
): Promise<string> {
  const response = await fetch(example.origin + path, {
    method,
    headers: { ...createAuthorizationHeader('editor'), ...headers },
    ...(body.length === 0 ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const { code = '' } = await response.json();
  return `${response.status} ${code}`.trim();
}

/** Sends chunks while the gateway accepts them, and returns the status of the response. */
async function upload(path: string, headers: Record<string, string>, mebibytes: number): Promise<number> {
  const { hostname, port } = new URL(example.origin);
  const clientRequest = request({
    hostname,
    port,
    path,
    method: 'POST',
    headers: { ...createAuthorizationHeader('editor'), ...headers },
  });
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  // Each wait below adds a `drain` and a `close` listener.
  clientRequest.setMaxListeners(mebibytes * 2);
  // The gateway closes the connection of a rejected request.
  clientRequest.on('error', () => undefined);
  const responseEvent = once(clientRequest, 'response');
  const pump = async (): Promise<void> => {
    for (let sent = 0; sent < mebibytes && clientRequest.writable; sent++) {
      if (!clientRequest.write(chunk))
        await Promise.race([once(clientRequest, 'drain'), once(clientRequest, 'close')]);
    }
    clientRequest.end();
  };
  void pump().catch(() => undefined);
  const [response] = await responseEvent;
  response.resume();
  return response.statusCode;
}

describe('bodies', () => {
  test.each([
    ['with Content-Length', { ...JSON_TYPE, 'content-length': String(100 * 1024 * 1024) }],
    ['of unknown length', { ...JSON_TYPE, 'transfer-encoding': 'chunked' }],
  ])('of 100 MB %s are rejected', async (_, headers) => {
    expect(await upload(POSTS, headers, 100)).toBe(413);
    expect(await upload('/boards/boards/v2/projects', headers, 100)).toBe(413);
  });

  const entries = () => example.content.state().entries.size;
  const depth = 100_000;

  test.each([
    ['nested 100,000 lists deep', `${'['.repeat(depth)}${']'.repeat(depth)}`, 'rest_invalid_json'],
    ['nested 100,000 objects deep', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, 'rest_invalid_json'],
    ['nested and never closed', '{"title":'.repeat(depth), 'rest_invalid_json'],
    ['that end too early', '{"title":"half', 'rest_invalid_json'],
    [
      'that are not UTF-8',
      new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      'rest_invalid_json',
    ],
    ['with a lone surrogate', '{"title":"\\ud800"}', 'rest_invalid_json'],
    ['that are a list', '[1,2,3]', 'empty_content'],
    ['that are a word', '"title"', 'empty_content'],
    ['that are null', 'null', 'empty_content'],
    ['that are empty', '', 'empty_content'],
  ])('of JSON %s are rejected, and nothing is written', async (_, body, code) => {
    const count = entries();
    expect(await send(POSTS, body)).toBe(`400 ${code}`);
    expect(entries()).toBe(count);
  });

  test.each([
    ['text/xml', '<title>x</title>'],
    ['text/plain', '{"title":"x"}'],
    ['application/octet-stream', '{"title":"x"}'],
    ['multipart/form-data; boundary=none', 'not a form'],
    ['multipart/form-data', '{"title":"x"}'],
    ['nonsense', 'title=x'],
  ])('of the type %s contain no post', async (type, body) => {
    const count = entries();
    expect(await send(POSTS, body, { 'content-type': type })).toBe('400 empty_content');
    expect(entries()).toBe(count);
  });

  test('of a form with 10,000 parameters are read up to the thousandth, as PHP does', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `x${index}=1`).join('&');
    expect(await send(POSTS, `title=First&${many}`, FORM_TYPE)).toBe('201');
    expect(await send(POSTS, `${many}&title=Last`, FORM_TYPE)).toBe('400 empty_content');
  });

  test('of JSON with 10,000 members and lists of 100,000 are validated', async () => {
    const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, index]));
    expect(await send(POSTS, JSON.stringify({ ...members, title: 'Many' }))).toBe('201');
    const list = Array.from({ length: 100_000 }, (_, index) => index);
    const long = await send(TASKS, JSON.stringify({ title: 'x', assignees: list }));
    expect(long).toBe('400 rest_invalid_param');
  });
});

describe('names of JavaScript built-ins', () => {
  const NASTY = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"toString":"x"';

  test.each([
    [POSTS, `${NASTY},"title":"Names","meta":{"__proto__":{"footnotes":"x"}}}`, 201],
    [TASKS, `${NASTY},"title":"Names"}`, 201],
    [
      '/content/batch/v1',
      `${NASTY},"requests":[{"path":"/core/v2/posts","body":${NASTY},"title":"x"}}]}`,
      207,
    ],
    ['/content/ext-a/v1/chat/sessions', `${NASTY}}`, 201],
    ['/content/ext-a/v1/abilities/__proto__/constructor/run', `${NASTY}}`, 404],
    ['/content/ext-a/v1/visual-safe-backend-tools/call', `${NASTY},"name":"__proto__"}`, 404],
  ])('are ordinary names: %s', async (path, body, status) => {
    expect(Number.parseInt(await send(path, body), 10)).toBe(status);
    expect(Reflect.get({}, 'admin')).toBeUndefined();
    expect(Reflect.get(Object.prototype, 'footnotes')).toBeUndefined();
  });

  test.each([
    ['/content/core/v2/posts?__proto__[a]=1&constructor=2&_fields=__proto__,constructor,id', 200],
    ['/content/core/v2/posts?%ff%fe=%80&search=%ff', 200],
    ['/content/index.php?rest_route=/core/v2/posts/__proto__', 404],
    ['/content/ext-a/v1/chat/sessions/__proto__', 404],
    ['/boards/boards/v2/tasks/boards-by-type/__proto__', 400],
    ['/boards/boards/v2/projects/__proto__/labels', 404],
    ['/boards/boards/v2/roadmaps/3/ideas/constructor', 404],
    ['/boards/boards/v2/ajax-options?option_key=__proto__', 400],
    [`/content/index.php?rest_route=/core/v2/posts&${'a%5Bb%5D'.repeat(200)}=1`, 200],
  ])('and unusual bytes in a URL get a response: %s', async (path, status) => {
    const response = await fetch(example.origin + path, { headers: createAuthorizationHeader('admin') });
    expect([response.status, await response.json()]).toEqual([status, expect.anything()]);
  });
});

describe('request heads', () => {
  test.each([
    ['a header of 1 MB', { 'x-long': 'a'.repeat(1_000_000) }],
    ['thousands of headers', Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`x-${at}`, 'abc']))],
    ['credentials of 1 MB', { authorization: `Basic ${'a'.repeat(1_000_000)}` }],
  ])('with %s are rejected', async (_, headers) => {
    const status = await fetch(`${example.origin}${POSTS}`, { headers }).then(
      (response) => response.status,
      // The server may close the connection before the whole head is written.
      () => 431,
    );
    expect(status).toBe(431);
  });

  test('with 10,000 parameters in the URL are rejected', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `x${index}=1`).join('&');
    const status = await fetch(`${example.origin}${POSTS}?${many}`).then(
      (response) => response.status,
      () => 431,
    );
    expect([414, 431]).toContain(status);
  });
});

describe('60 writers at once', () => {
  const writers = Array.from({ length: 60 }, (_, index) => index);

  test('create 60 posts of one title, each with a different id and slug', async () => {
    const body = JSON.stringify({ title: 'The same', status: 'publish' });
    const responses = await Promise.all(writers.map(() => send(POSTS, body)));
    expect(responses.filter((outcome) => !outcome.startsWith('201'))).toEqual([]);
    const created = [...example.content.state().entries.values()].filter(({ title }) => title === 'The same');
    expect(new Set(created.map(({ id }) => id)).size).toBe(writers.length);
    expect(new Set(created.map(({ slug }) => slug)).size).toBe(writers.length);
  });

  test('change one post, which gets a revision of each change', async () => {
    const [post] = [...example.content.state().entries.values()].filter(({ kind }) => kind === 'post');
    const responses = await Promise.all(
      writers.map((writer) => send(`${POSTS}/${post?.id}`, JSON.stringify({ content: `By ${writer}` }))),
    );
    expect(responses.filter((outcome) => !outcome.startsWith('200'))).toEqual([]);
    const now = example.content.state().entries.get(post?.id ?? 0);
    expect(now?.content).toMatch(/^By \d+$/);
    const revisions = await fetch(`${example.origin}${POSTS}/${post?.id}/revisions?per_page=100`, {
      headers: createAuthorizationHeader('editor'),
    });
    expect(Number(revisions.headers.get('x-wp-total'))).toBeGreaterThanOrEqual(writers.length);
  });

  test('create, move and delete tasks, and the positions in every stage stay consecutive', async () => {
    const state = example.boards.state();
    const tasks = [...state.tasks.values()].filter(
      ({ boardId, archivedAt }) => boardId === 1 && archivedAt === null,
    );
    const stages = [...state.stages.values()].filter(
      ({ boardId, archivedAt }) => boardId === 1 && archivedAt === null,
    );
    const stage = (index: number): number => stages[index % stages.length]?.id ?? 0;
    const responses = await Promise.all(
      writers.map((writer) => {
        const task = tasks[writer % tasks.length]?.id;
        switch (writer % 4) {
          case 0:
            return send(
              TASKS,
              JSON.stringify({ title: `Task ${writer}`, stage_id: stage(writer), position: 1 }),
            );
          case 1:
            return send(`${TASKS}/${task}`, '', {}, 'DELETE');
          default: {
            const to = { stage_id: stage(writer), position: 1 + (writer % 7) };
            return send(`${TASKS}/${task}/move-task`, JSON.stringify(to), JSON_TYPE, 'PUT');
          }
        }
      }),
    );
    // Another writer may have deleted the task already.
    expect(responses.filter((outcome) => !/^(?:200|201|404)/.test(outcome))).toEqual([]);
    for (const { id } of stages) {
      const positions = [...example.boards.state().tasks.values()]
        .filter(({ stageId, archivedAt }) => stageId === id && archivedAt === null)
        .map(({ position }) => position)
        .sort((one, other) => one - other);
      expect(positions).toEqual(positions.map((_, index) => index + 1));
    }
  });

  test('vote for an idea as one user, and one vote counts', async () => {
    const idea = await fetch(`${example.origin}/boards/boards/v2/roadmaps/3/ideas`, {
      method: 'POST',
      headers: { ...createAuthorizationHeader('editor'), ...JSON_TYPE },
      body: JSON.stringify({ title: 'Wanted by all' }),
    });
    const { id } = await idea.json();
    const vote = `/boards/boards/v2/roadmaps/vote-idea/${id}`;
    const responses = await Promise.all(writers.map(() => send(vote, '{}')));
    expect(responses.filter((outcome) => outcome.startsWith('200'))).toHaveLength(1);
    expect(responses.filter((outcome) => outcome.startsWith('409'))).toHaveLength(writers.length - 1);
  });
});

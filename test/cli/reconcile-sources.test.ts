import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/json.ts';
import { createShapesReport, toResponseShape } from '../../src/validation/shapes/response-shapes.ts';
import { observeValue } from '../../src/validation/shapes/shape.ts';
import { useFolder } from '../support/folder.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  createWordPressError,
  type StubResponse,
  type StubSite,
  startStubSite,
} from '../support/stub-site.ts';
import { type CommandResult, refused, runCommand } from './run-command.ts';

const NOTE = { id: 1, title: 'One', body: null, owner_id: 4, color: '#ffffff', tags: ['a'] };
const NOTES = [1, 2, 3].map((id) => ({ ...NOTE, id, ...(id === 2 ? { pinned: true } : {}) }));
/** What users see of a note, and visitors do not. */
const PRIVATE = { remind: true };
const ROUTES = {
  '/notes/v1/notes': endpoints(['GET', 'POST']),
  '/notes/v1/notes/(?P<id>[\\d]+)': endpoints(['GET', 'DELETE']),
  '/notes/v1/owners/(?P<owner_id>[\\d]+)/notes': endpoints(['GET']),
  '/notes/v1/report': endpoints(['GET'], { period: { type: 'string', required: true } }),
  '/notes/v1/closed': endpoints(['GET']),
  '/notes/v1/imports': endpoints(['POST']),
};
const TOKEN = 'word';

function endpoints(methods: readonly string[], args: JsonObject = {}): JsonObject {
  return {
    namespace: 'notes/v1',
    methods: [...methods],
    endpoints: methods.map((method) => ({ methods: [method], args })),
  };
}

let site: StubSite;
let gateway: TestServer;
const folder = useFolder();
/** The gateway's response. */
let shapes: { status: number; body: Json };
beforeAll(async () => {
  site = await startStubSite({
    index: { name: 'Notes', namespaces: ['notes/v1'], routes: ROUTES },
    respond({ route = '', headers }): StubResponse | undefined {
      const notes = NOTES.map((note) =>
        headers.authorization === undefined ? note : { ...note, ...PRIVATE },
      );
      if (route === '/notes/v1/notes' || route === '/notes/v1/owners/4/notes') return { body: notes };
      if (/^\/notes\/v1\/notes\/\d$/.test(route)) return { body: notes[Number(route.at(-1)) - 1] };
      return route === '/notes/v1/closed' ? createWordPressError(403, 'rest_forbidden', 'No.') : undefined;
    },
  });
  gateway = await startServer((request, response) => {
    const isAllowed =
      request.headers.authorization === `Bearer ${TOKEN}` && request.url === '/-/sites/notes/shapes';
    response.writeHead(isAllowed ? shapes.status : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(shapes.body));
  });
});
beforeEach(async () => {
  shapes = { status: 200, body: createShapes(site.url) };
});
afterAll(async () => {
  await gateway.close();
  await site.close();
});

/** What a gateway has seen: notes that clients created, and deleted for good. */
function createShapes(url: string): JsonObject {
  const observe = (value: Json) => observeValue(value, false);
  const { id: _, ...rest } = NOTE;
  return createShapesReport(url, [
    toResponseShape({ method: 'POST', route: '/notes/v1/notes', variant: '' }, 201, observe(NOTE)),
    toResponseShape(
      { method: 'DELETE', route: '/notes/v1/notes/(?P<id>[\\d]+)', variant: 'forced' },
      200,
      observe({ deleted: true, previous: { id: 9, ...rest } }),
    ),
  ]);
}

const run = (args: readonly string[], token = TOKEN): Promise<CommandResult> =>
  runCommand(args, { env: { WAYGATE_ADMIN_TOKEN: token } });

const runReconcile = (...more: readonly string[]) =>
  run(['reconcile', site.url, '--out', folder(), '--name', 'site', ...more]);

async function generateDocument() {
  const { code, err } = await run(['generate', site.url, '--out', folder(), '--name', 'site']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(await readFile(join(folder(), 'site.openapi.json'), 'utf8'));
}

function successSchema(document: JsonObject, path: string, method: string, status = '200'): unknown {
  return Object(document)['paths'][path][method].responses[status].content['application/json'].schema;
}

describe('waygate reconcile on a site without schemas', () => {
  test('types lists, their items and lists elsewhere by one component', async () => {
    expect((await runReconcile()).code).toBe(0);
    const document = await generateDocument();
    const list = { type: 'array', items: { $ref: '#/components/schemas/Note' } };
    expect(successSchema(document, '/notes/v1/notes', 'get')).toEqual(list);
    expect(successSchema(document, '/notes/v1/notes/{id}', 'get')).toEqual(list.items);
    expect(successSchema(document, '/notes/v1/owners/{owner_id}/notes', 'get')).toEqual(list);
    expect(document.components.schemas.Note).toMatchObject({
      properties: { id: { type: 'integer' }, pinned: { type: 'boolean' }, tags: { type: 'array' } },
      required: ['body', 'color', 'id', 'owner_id', 'tags', 'title'],
    });
  });

  test('names what is described before and after, and what remains with the reason', async () => {
    const { out } = await runReconcile();
    expect(out).toMatch(/^ {2}0 → 5 of 8 operations have a described response \(GET: 0 → 3 of 5\)$/m);
    expect(out).toMatch(/^ {2}\d+ % → 100 % of \d+ sampled responses are described and valid$/m);
    expect(out).toMatch(/GET \/notes\/v1\/closed +the site responded with 403/);
    expect(out).toMatch(/GET \/notes\/v1\/report +the value of a required parameter is unknown/);
    // Writes to notes respond with the note, by convention.
    expect(out).toContain(
      '1 of them writes: --from <gateway> takes what a gateway has seen, --writes sends requests to a copy of the site.',
    );
    expect(out).not.toContain('POST /notes/v1/imports');
    expect((await runReconcile('--verbose')).out).toMatch(/POST \/notes\/v1\/imports +no response was seen/);
  });

  test('writes the same bytes in each run', async () => {
    await runReconcile('--from', `${gateway.origin}/notes`);
    const first = await readFile(join(folder(), 'site.overlay.json'), 'utf8');
    await runReconcile('--from', `${gateway.origin}/notes`);
    expect(await readFile(join(folder(), 'site.overlay.json'), 'utf8')).toBe(first);
  });
});

describe('waygate reconcile --auth', () => {
  const requiredOf = async () => (await generateDocument()).components.schemas.Note.required;

  test('samples as one user, or as several and without credentials', async () => {
    const start = site.requests.length;
    await runReconcile('--auth', 'ada:word');
    expect(new Set(site.requests.slice(start).map(({ headers }) => headers.authorization))).toEqual(
      new Set([undefined, basic('ada:word')].slice(1)),
    );
    expect(await requiredOf()).toContain('remind');
    const second = site.requests.length;
    await runReconcile('--auth', 'ada:word', '--auth', 'bob:word');
    const seen = new Set(site.requests.slice(second).map(({ headers }) => headers.authorization));
    expect(seen).toEqual(new Set([basic('ada:word'), basic('bob:word'), undefined]));

    expect(await requiredOf()).not.toContain('remind');
  });

  const basic = (credentials: string): string => `Basic ${btoa(credentials)}`;
});

describe('waygate reconcile --from', () => {
  test('types writes by what a gateway has seen', async () => {
    const { code, out } = await runReconcile('--from', `${gateway.origin}/notes`);
    expect(code).toBe(0);
    expect(out).toContain('2 responses seen by the gateway');
    const document = await generateDocument();
    const note = { $ref: '#/components/schemas/Note' };
    expect(successSchema(document, '/notes/v1/notes', 'post', '201')).toEqual(note);
    const deleted = { $ref: '#/components/schemas/DeletedNote' };
    expect(successSchema(document, '/notes/v1/notes/{id}', 'delete')).toEqual(deleted);
    expect(document.paths['/notes/v1/notes/{id}'].delete['x-waygate-forced']).toEqual({ schema: deleted });
    expect(document.components.schemas.DeletedNote.required).toEqual(['deleted', 'previous']);
  });

  test('sends no sample requests with --max-requests 0', async () => {
    const start = site.requests.length;
    expect((await runReconcile('--from', `${gateway.origin}/notes`, '--max-requests', '0')).code).toBe(0);
    expect(site.requests.slice(start).filter(({ route }) => route !== undefined && route !== '/')).toEqual(
      [],
    );
  });

  test.each<readonly [string, Json, RegExp]>([
    ['refuses', null, /returned 404/],
    ['does not sample', { format: 1, responses: [], sampling: false }, /validation\.responses/],
    ['has another format', { format: 9 }, /does not report shapes/],
    ['serves another site', createShapes('https://example.com/'), /of example\.com, not of/],
  ])('ends with 2 if the gateway %s', async (_, body, message) => {
    shapes = { status: body === null ? 404 : 200, body };
    const { code, err } = await runReconcile('--from', `${gateway.origin}/notes`);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
  });

  test('needs the admin token', async () => {
    const args = ['reconcile', site.url, '--out', folder(), '--from', `${gateway.origin}/notes`];
    expect(await run(args, '')).toMatchObject(refused('WAYGATE_ADMIN_TOKEN'));
    expect(await run(args, 'wrong')).toMatchObject(refused('401'));
  });
});

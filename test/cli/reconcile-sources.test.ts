import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { useFolder } from '../support/folder.ts';
import {
  createWordPressError,
  type StubResponse,
  type StubSite,
  startStubSite,
} from '../support/stub-site.ts';
import { type CommandResult, runCommand } from './run-command.ts';

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

function endpoints(methods: readonly string[], args: JsonObject = {}): JsonObject {
  return {
    namespace: 'notes/v1',
    methods: [...methods],
    endpoints: methods.map((method) => ({ methods: [method], args })),
  };
}

let site: StubSite;
const folder = useFolder();
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
});
afterAll(async () => {
  await site.close();
});

const runReconcile = (...more: readonly string[]): Promise<CommandResult> =>
  runCommand(['reconcile', site.url, '--out', folder(), '--name', 'site', ...more]);

async function generateDocument() {
  const { code, err } = await runCommand(['generate', site.url, '--out', folder(), '--name', 'site']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(await readFile(join(folder(), 'site.openapi.json'), 'utf8'));
}

describe('waygate reconcile on a site that refuses', () => {
  const schema = { title: 'secret', type: 'object', properties: { id: { type: 'integer' } } };
  const routes = Object.fromEntries(
    Object.entries(ROUTES).map(([route, stated]) => [route, { ...stated, schema }]),
  );
  const runAt = async (
    closed: RegExp,
    status: number,
    ...more: readonly string[]
  ): Promise<CommandResult> => {
    const closedSite = await startStubSite({
      index: { name: 'Notes', namespaces: ['notes/v1'], routes },
      respond: ({ route = '' }) =>
        closed.test(route) ? createWordPressError(status, 'rest_forbidden', 'No.') : { body: NOTES },
    });
    const result = await runCommand(['reconcile', closedSite.url, '--out', folder(), '--fresh', ...more]);
    await closedSite.close();
    return result;
  };

  test.each([
    [/notes$/, 401],
    [/notes$/, 403],
  ])(
    'what %s refuses with %i is described by the index alone, and its status is named',
    async (closed, status) => {
      const { out } = await runAt(closed, status);
      expect(out).toMatch(new RegExp(`not used: \\d ${status}`));
      const report = JSON.parse((await runAt(closed, status, '--json')).out);
      expect(report.skippedOperations).toContainEqual(expect.objectContaining({ reason: 'refused' }));
    },
  );
});

describe('waygate reconcile --auth', () => {
  const requiredOf = async () => (await generateDocument()).components.schemas.NotesNote.required;

  test('samples as that user, and a later run without credentials adds what visitors see', async () => {
    const start = site.requests.length;
    await runReconcile('--auth', 'ada:word');
    expect(new Set(site.requests.slice(start).map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Basic ${btoa('ada:word')}`]),
    );
    expect(await requiredOf()).toContain('remind');
    await runReconcile();
    expect(await requiredOf()).not.toContain('remind');
  });
});

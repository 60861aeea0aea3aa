import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { useFolder } from '../support/folder.ts';
import { runStubSite } from '../support/run.ts';
import { createWordPressError } from '../support/stub-site.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const NOTE = { id: 1, title: 'One', body: null, owner_id: 4, color: '#ffffff', tags: ['a'] };
const NOTES = [1, 2, 3].map((id) => ({ ...NOTE, id, ...(id === 2 ? { pinned: true } : {}) }));
const endpoints = (...methods: readonly string[]): JsonObject => ({
  namespace: 'notes/v1',
  methods: [...methods],
  endpoints: methods.map((method) => ({ methods: [method], args: {} })),
});
const ROUTES = {
  '/notes/v1/notes': endpoints('GET', 'POST'),
  '/notes/v1/notes/(?P<id>[\\d]+)': endpoints('GET', 'DELETE'),
  '/notes/v1/closed': endpoints('GET'),
  '/notes/v1/closed/(?P<id>[\\d]+)': endpoints('GET'),
};
const folder = useFolder();

test('a user samples what a user sees, and a later run without credentials adds what visitors see', async () => {
  const site = await runStubSite({
    index: { name: 'Notes', namespaces: ['notes/v1'], routes: ROUTES },
    respond({ headers, route = '' }) {
      const notes = NOTES.map((note) =>
        headers.authorization === undefined ? note : { ...note, remind: true },
      );
      if (route === '/notes/v1/closed') return createWordPressError(403, 'rest_forbidden', 'No.');
      return { body: route === '/notes/v1/notes' ? notes : notes[Number(route.at(-1)) - 1] };
    },
  });
  const run = async (command: string, ...more: readonly string[]): Promise<CommandResult> => {
    const result = await runCommand([command, site.url, '--out', folder(), '--name', 'site', ...more]);
    expect(result).toMatchObject({ code: 0, err: '' });
    return result;
  };
  const readRequired = async (): Promise<readonly string[]> => {
    await run('generate');
    const { components } = JSON.parse(await readFile(join(folder(), 'site.openapi.json'), 'utf8'));
    return components.schemas.NotesNote.required;
  };
  await run('reconcile', '--auth', 'ada:word');
  expect(new Set(site.requests.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Basic ${btoa('ada:word')}`]),
  );
  expect(await readRequired()).toContain('remind');
  expect((await run('reconcile')).out).toContain('not used: 1 403');
  expect(await readRequired()).not.toContain('remind');
  // Nothing is known of what a refused list would name.
  const { skippedOperations } = JSON.parse((await run('reconcile', '--json')).out);
  expect(skippedOperations).toContainEqual(expect.objectContaining({ reason: 'refused' }));
});

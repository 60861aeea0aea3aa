import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../cli/run-command.ts';
import { lintDocumentText, listTypeErrors } from '../../support/document-checks.ts';
import { useFolder } from '../../support/folder.ts';
import { useWordPress } from '../../support/wordpress.ts';
import { listErrors, openEditor } from '../types/type-checker.ts';

const site = useWordPress();
const folder = useFolder('file');

async function run(...args: readonly string[]): Promise<string> {
  const { code, out } = await runCommand([...args, '--out', folder(), '--name', 'site']);
  // 1: the request limit.
  expect(code).toBeOneOf(args[0] === 'reconcile' ? [0, 1] : [0]);
  return out;
}

// `goal.real.test.ts` validates the responses.
test('WordPress is sampled by GET only, and the document and types compile elsewhere', async () => {
  const { log, url, users } = site();
  const before = (await readFile(log, 'utf8')).length;
  const { password, user } = users.administrator;
  const report = JSON.parse(await run('reconcile', url, '--json', '--auth', `${user}:${password}`));
  expect(report.requests).toBeLessThanOrEqual(200);
  expect(report.remaining).toEqual([]);
  const requested = (await readFile(log, 'utf8')).slice(before).trimEnd().split('\n');
  const sampled = requested.filter((line) => !line.includes('"OPTIONS '));
  expect(sampled.filter((line) => !line.includes('"GET '))).toEqual([]);
  expect(sampled.length).toBeGreaterThan(50);
  expect(sampled.length).toBeLessThan(report.requests + 10);
  await run('generate', url, '--only', 'document,types');
  const document = await readFile(join(folder(), 'site.openapi.json'), 'utf8');
  expect(await lintDocumentText(document)).toEqual([]);
  expect(await listTypeErrors(document)).toEqual([]);
  const files = { 'site.ts': await readFile(join(folder(), 'site.ts'), 'utf8'), 'use.ts': USE };
  expect(listErrors(files)).toEqual([]);
  const { typeOf } = openEditor(files);
  expect([typeOf('use.ts', 'Post'), typeOf('use.ts', 'Meta')]).toEqual([
    'number | null',
    '{ [k: string]: unknown; }',
  ]);
}, 120_000);

/** Uses types that differ from those of the index. */
const USE = `
import type { Attachment } from './site.ts';
export type Post = Attachment['post'];
export type Meta = Attachment['meta'];
`;

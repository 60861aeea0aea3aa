import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { type Operation, readServedApi } from '../../../src/generator/openapi/index.ts';
import type { ReconcileReport } from '../../../src/generator/reconcile/index.ts';
import {
  ResponseFindingStats,
  ResponseValidator,
} from '../../../src/generator/validation/response/validator.ts';
import { runCommand } from '../../cli/run-command.ts';
import { lintDocumentText, listTypeErrors } from '../../support/document-checks.ts';
import { useFolder } from '../../support/folder.ts';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';
import { listErrors, openEditor } from '../types/type-checker.ts';

const site = useWordPress();
const folder = useFolder('file');

async function run(...args: readonly string[]): Promise<string> {
  const { code, err, out } = await runCommand(args);
  // 1: the request limit. Progress is written to standard error.
  const isReconcile = args[0] === 'reconcile';
  expect(code).toBeOneOf(isReconcile ? [0, 1] : [0]);
  expect(err).toMatch(isReconcile ? /^(?:Reading responses: \d+ of at most \d+ …\n)*$/ : /^$/);
  return out;
}

/** Requests of the tests: collections and items, in every context that the client may request. */
const REQUESTS = {
  anonymous: [
    ...['posts', 'pages', 'media', 'categories', 'tags', 'comments', 'users', 'types', 'statuses'],
    'taxonomies',
    ...['posts?context=embed', 'media?context=embed', 'users?context=embed', 'search?search=a'],
  ],
  administrator: [
    ...['posts', 'pages', 'media', 'categories', 'comments', 'users', 'settings', 'plugins', 'themes'],
    ...['posts?context=edit', 'media?context=edit', 'comments?context=edit', 'users?context=edit'],
    ...['users/me', 'users/me?context=edit', 'templates', 'template-parts?context=edit', 'block-types'],
  ],
} as const;

type ClientName = keyof typeof REQUESTS;

/** Validates responses of the site against the document of that name, and returns the findings. */
async function findingsOf(name: string, client: ClientName): Promise<readonly string[]> {
  const document: unknown = JSON.parse(await readFile(join(folder(), `${name}.openapi.json`), 'utf8'));
  if (!isJsonObject(document)) throw new Error('the document is no object');
  const validator = new ResponseValidator(document);
  const stats = new ResponseFindingStats();
  for (const requested of REQUESTS[client]) {
    const [path = '', query = ''] = `/wp/v2/${requested}`.split('?');
    const operation = operationAt(document, path);
    const response = await fetch(`${site().url}index.php?rest_route=${path}&${query}`, {
      headers: client === 'anonymous' ? {} : { authorization: basicAuth(site().users[client]) },
    });
    const context = new URLSearchParams(query).get('context');
    const result = validator.validate({
      operation,
      status: response.status,
      headers: [...response.headers].flat(),
      body: new Uint8Array(await response.arrayBuffer()),
      context,
    });
    expect({ requested, kind: result.kind }).toEqual({ requested, kind: 'validated' });
    stats.record(operation.id, result);
  }
  return stats
    .report()
    .operations.flatMap(({ findings, operation }) =>
      findings.map(({ kind, pointer }) => `${operation} ${pointer}: ${kind}`),
    );
}

function operationAt(document: JsonObject, path: string): Operation {
  const operation = runSteps(readServedApi(document))
    .routes.find(({ pattern }) => pattern === path)
    ?.operations.get('GET');
  if (operation === undefined) throw new Error(`the document has no GET ${path}`);
  return operation;
}

describe.each(['anonymous', 'administrator'] as const)('responses of WordPress to %s', (client) => {
  const generate = (name: string, ...more: readonly string[]): Promise<string> =>
    run(
      'generate',
      site().url,
      '--out',
      folder(),
      '--name',
      name,
      '--only',
      'document,types,report',
      ...more,
    );
  const overlay = (): string => join(folder(), `${client}.overlay.json`);
  let report: ReconcileReport;
  let requested: readonly string[];

  beforeAll(async () => {
    const before = (await readFile(site().log, 'utf8')).length;
    const { password, user } = site().users.administrator;
    const auth = client === 'anonymous' ? [] : ['--auth', `${user}:${password}`];
    report = JSON.parse(
      await run('reconcile', site().url, '--out', folder(), '--name', client, '--json', ...auth),
    );
    requested = (await readFile(site().log, 'utf8'))
      .slice(before)
      .split('\n')
      .filter((line) => line !== '');
    await copyFile(overlay(), join(folder(), `${client}-learnt.overlay.json`));
    await generate(`${client}-learnt`);
  });

  test('are sampled by GET only, within the request limit', () => {
    expect(requested.length).toBeGreaterThan(50);
    const sampled = requested.filter((line) => !line.includes('"OPTIONS '));
    expect(sampled.filter((line) => !line.includes('"GET '))).toEqual([]);
    expect(report.requests).toBeLessThanOrEqual(200);
    expect(sampled.length).toBeLessThan(report.requests + 10);
  });

  test('conform to the document after the overlay is applied', async () => {
    expect(report).toMatchObject({ remaining: [] });
    expect(await findingsOf(`${client}-learnt`, client)).toEqual([]);
  });

  // What anonymous users see is part of that.
  const ofAdministrator = test.runIf(client === 'administrator');

  ofAdministrator('lead to a document that other tools accept, and types that compile', async () => {
    const document = await readFile(join(folder(), `${client}-learnt.openapi.json`), 'utf8');
    expect(await lintDocumentText(document)).toEqual([]);
    expect(await listTypeErrors(document)).toEqual([]);
    const types = await readFile(join(folder(), `${client}-learnt.ts`), 'utf8');
    const files = { 'site.ts': types, 'use.ts': USE };
    expect(listErrors(files)).toEqual([]);
    const { typeOf } = openEditor(files);
    expect([typeOf('use.ts', 'Post'), typeOf('use.ts', 'Meta')]).toMatchInlineSnapshot(`
      [
        "number | null",
        "{ [k: string]: unknown; }",
      ]
    `);
  });
});

/** Uses types that differ from those of the index. */
const USE = `
import type { Attachment } from './site.ts';
export type Post = Attachment['post'];
export type Meta = Attachment['meta'];
`;

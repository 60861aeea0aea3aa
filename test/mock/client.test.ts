import ts from 'typescript';
import { expect, test } from 'vitest';
import { toClient } from '../../src/client/index.ts';
import { createMock } from '../../src/mock/index.ts';
import { recordedDocument } from '../types/documents.ts';

interface LooseClient {
  GET(path: string, options?: object): Promise<{ data?: unknown; error?: { code: string }; total?: number }>;
  POST(path: string, options?: object): Promise<{ data?: { id: number } }>;
}

interface ClientModule {
  createClient(options: object): LooseClient;
  paginate(client: LooseClient, path: string, options?: object): AsyncIterable<{ id: number }>;
}

/** Runs the text of a generated client. */
async function loadClient(text: string): Promise<ClientModule> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 },
  });
  return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as ClientModule;
}

test('a program with the generated client runs against a mock, without a network', async () => {
  const document = recordedDocument();
  const mock = createMock(document);
  const { createClient, paginate } = await loadClient(await toClient(document));
  const client = createClient({
    baseUrl: 'http://gateway.example/wp-json',
    fetch: (input: RequestInfo | URL, init?: RequestInit) => mock.fetch(new Request(input, init)),
  });

  const created = await client.POST('/wp/v2/posts', { body: { title: 'Hello', status: 'draft' } });
  const read = await client.GET('/wp/v2/posts/{id}', {
    path: { id: created.data?.id },
    query: { _fields: ['id', 'title'] },
  });
  expect(read.data).toEqual({ id: 26, title: { rendered: 'Hello' } });
  expect(await client.GET('/wp/v2/posts')).toMatchObject({ total: 26 });
  expect((await client.GET('/wp/v2/posts/{id}', { path: { id: 999 } })).error?.code).toBe(
    'rest_post_invalid_id',
  );

  const ids: number[] = [];
  for await (const { id } of paginate(client, '/wp/v2/posts', { query: { per_page: 10 } })) ids.push(id);
  expect(new Set(ids).size).toBe(26);
}, 60_000);

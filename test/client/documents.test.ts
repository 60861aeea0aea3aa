import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toClient } from '../../src/client/index.ts';
import { recordedDocument } from '../types/documents.ts';
import { createTypeChecker } from '../types/type-checker.ts';

/** The part of SWR that the examples use. */
const SWR = `declare module 'swr' {
  export interface SWRResponse<Data, Error> { readonly data: Data | undefined; readonly error: Error | undefined }
  export default function useSWR<Data, Error>(key: unknown, fetcher: () => Promise<Data>): SWRResponse<Data, Error>;
}`;

test('the examples of docs/client.md compile with the client of WordPress 7.1', async () => {
  const text = await readFile(new URL('../../docs/client.md', import.meta.url), 'utf8');
  const examples = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const files = Object.fromEntries(examples.map((code, at) => [`example${at}.ts`, code]));
  const client = await toClient(recordedDocument());
  const { errors } = createTypeChecker()({ 'site.client.ts': client, 'swr.d.ts': SWR, ...files });
  expect(examples).toHaveLength(4);
  expect(errors).toEqual([]);
}, 60_000);

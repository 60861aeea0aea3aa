import { expect, test } from 'vitest';
import { hashOperations } from '../../../src/gateway/caching/document-cache-tags.ts';

const operation = (method: string, path: string, ...names: readonly string[]) => ({
  method,
  path,
  parameters: names.map((name) => ({ name, in: 'query' as const, required: false, schema: {} })),
});
const SHOP = [operation('GET', '/shop/v1/items', 'page', 'view'), operation('POST', '/shop/v1/items')];
const VERSION = hashOperations(SHOP);

test('the order of operations and parameters does not change the version of a document', () => {
  expect(
    hashOperations([operation('POST', '/shop/v1/items'), operation('GET', '/shop/v1/items', 'view', 'page')]),
  ).toBe(VERSION);
});

test.each([
  ['an operation', [...SHOP, operation('GET', '/forum/v1/topics')]],
  ['a parameter', [operation('GET', '/shop/v1/items', 'page'), operation('POST', '/shop/v1/items')]],
])('%s does', (_, operations) => {
  expect(hashOperations(operations)).not.toBe(VERSION);
});

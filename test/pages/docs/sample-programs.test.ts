import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { compilePattern } from '../../../src/base/pcre/index.ts';
import { toClient } from '../../../src/generator/client/index.ts';
import { createCodeSamples } from '../../../src/generator/reference/code-samples.ts';
import { recordedDocument } from '../../generator/types/documents.ts';
import { compileFiles } from '../../support/compile.ts';
import { readSeed } from '../../support/documents.ts';
import { readShopIndex } from '../../support/recorded-indexes.ts';
import { sampleOperations } from '../../support/rendered-docs.ts';
import { generateFrom } from '../../support/site.ts';

const DOCUMENTS: readonly (readonly [name: string, document: JsonObject])[] = [
  ['boards', readSeed('boards')],
  ['content', readSeed('content')],
  ['WordPress 7.1', recordedDocument()],
  // Without descriptions.
  ['a shop', generateFrom(readShopIndex((name) => /^wc\/(?:v3|store\/v1)$/.test(name))).document],
];

const SAMPLED = new Map(
  DOCUMENTS.map(([, document]) => [document, sampleOperations(document, 'https://example.com')]),
);
const sampleAll = (document: JsonObject) => SAMPLED.get(document) ?? [];

describe.each(DOCUMENTS)('the samples of %s', (_name, document) => {
  const sampled = sampleAll(document);

  test('have values in their paths that the patterns of the routes accept', () => {
    const refused = sampled.flatMap(({ details, operation, request }) =>
      details.parameters.flatMap(({ facts, in: location, name }) => {
        const pattern = facts.find(({ label }) => label === 'Pattern')?.values[0];
        const value = request.pathParameters.find((parameter) => parameter.name === name)?.value;
        const isAccepted = pattern === undefined || compilePattern(pattern).test(String(value));
        return location === 'path' && !isAccepted ? [`${operation.path} ${name}: ${String(value)}`] : [];
      }),
    );
    expect(refused).toEqual([]);
  });
});

test('the samples compile with the generated client', async () => {
  const files: (readonly [name: string, text: string])[] = [];
  // Those of WordPress are run (`samples.real.test.ts`).
  for (const [name, document] of DOCUMENTS.filter(([each]) => each === 'boards' || each === 'a shop')) {
    files.push([`${name}/site.client.ts`, await toClient(document)]);
    for (const [at, { request }] of sampleAll(document).entries()) {
      const sample = createCodeSamples(request).find(({ label }) => label === 'TypeScript');
      files.push([`${name}/sample-${at}.ts`, sample?.code ?? '']);
    }
  }
  expect(compileFiles(files)).toEqual(new Map());
});

test('the sample of an operation names the cart, and reads it without a name to get one', () => {
  const [, shop = {}] = DOCUMENTS[3] ?? [];
  const sampled = sampleAll(shop).filter(({ operation }) =>
    /^\/wc\/store\/v1\/(?:cart|checkout)/.test(operation.path),
  );
  expect(sampled.length).toBeGreaterThan(15);
  for (const { operation, request } of sampled) {
    const isCart = `${operation.method} ${operation.path}` === 'GET /wc/store/v1/cart';
    expect(request.credentials).toBe(isCart ? 'none' : 'cart');
  }
});

test('the sample of a deletion does not force it where there is a trash', () => {
  const [, content = {}] = DOCUMENTS[1] ?? [];
  const sampled = sampleAll(content).find(
    ({ operation: { method, path } }) => `${method} ${path}` === 'DELETE /core/v2/posts/{id}',
  );
  expect(sampled?.request.query).toEqual([]);
});

test('a sample has a value where the site refuses its own default', () => {
  const [, wordpress = {}] = DOCUMENTS[2] ?? [];
  const render = sampleAll(wordpress).find(({ operation: { method, path } }) =>
    `${method} ${path}`.startsWith('GET /wp/v2/block-renderer/'),
  );
  expect(render?.request.query).toEqual([['context', 'edit']]);
});

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { createCodeSamples } from '../../../src/generator/reference/code-samples.ts';
import type { SampleRequest } from '../../../src/generator/reference/sample-request.ts';
import { createFlatDocument } from '../../support/documents.ts';
import { poisonDocument } from '../../support/hostile-document.ts';
import { sampleOperations } from '../../support/rendered-docs.ts';

const REQUEST: SampleRequest = {
  method: 'POST',
  path: '/wp/v2/posts/{id}',
  baseUrl: 'https://example.com',
  pathParameters: [{ name: 'id', value: 5, mayContainSlashes: false }],
  query: [['categories', [1, 2]]],
  body: { title: "It's", status: 'publish' },
  file: undefined,
  credentials: 'user',
};

const sample = (label: string, request: Partial<SampleRequest> = {}): string =>
  createCodeSamples({ ...REQUEST, ...request }).find((candidate) => candidate.label === label)?.code ?? '';

test('curl uploads a file of any name, which it would read as several or with parameters', () => {
  const upload = (name: string): string =>
    sample('curl', { body: undefined, file: { field: 'file', name, type: 'image/png' } });
  expect(upload('a b.png')).toContain("--form 'file=@a b.png'");
  expect(upload('a;b,c"d\\e.png')).toContain(`--form 'file=@"a;b,c\\"d\\\\e.png"'`);
});

test('PHP is a program as it stands', () => {
  expect(sample('PHP')).toMatch(/^<\?php\n/);
});

test.each([
  [
    ['wc/store', 'wc/store/v1'],
    ['Cart-Token', 'Nonce'],
  ],
  [['wc/store'], ['Cookie', 'X-WC-Store-API-Nonce']],
])('a shop with %j knows a cart by %j', (namespaces, names) => {
  const document = createFlatDocument(['/wc/store/cart/items'], namespaces);
  const [operation] = sampleOperations(document);
  const code =
    createCodeSamples(operation?.request ?? REQUEST).find(({ label }) => label === 'curl')?.code ?? '';
  expect(Array.from(code.matchAll(/--header '([\w-]+): \w+ of the cart'/g), ([, name]) => name)).toEqual(
    names,
  );
});

test('Python sends the fields beside a file as texts', () => {
  const body = { meta: { a: [1] }, sticky: true, title: 'A' };
  expect(sample('Python', { body, file: { field: 'file', name: 'a.png', type: 'image/png' } })).toContain(
    `data={ 'meta': '{"a":[1]}', 'sticky': 'true', 'title': 'A' }`,
  );
});

test('a field that the site names sends no file of its choice', () => {
  const [first] = sampleOperations(poisonDocument('x=@/etc/passwd;filename='));
  expect(first?.request.file).toMatchObject({ field: 'file', name: 'photo.jpg' });
});

describe('whatever a request contains', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', "'", '\\', '\\"', '`${x}`', '\u2028', "'; rm -rf /; '", '*/'),
  );
  const requests = fc.record({ name: texts, value: texts });

  test('the shell reads it as one argument each', () => {
    fc.assert(
      fc.property(requests, ({ name, value }) => {
        const code = sample('curl', {
          body: { [name]: value },
          pathParameters: [{ name: 'id', value, mayContainSlashes: true }],
        });
        const output = execFileSync('/bin/sh', [
          '-c',
          `curl() { for a in "$@"; do printf '%s\\036' "$a"; done; }\n${code}`,
        ]);
        const data = output.toString().split('\u001e').at(-2) ?? '';
        expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify({ [name]: value })));
      }),
      { numRuns: 25 },
    );
  });

  test.each(['fetch', 'TypeScript'])('%s is a program without syntax errors', (label) => {
    fc.assert(
      fc.property(requests, ({ name, value }) => {
        const code = sample(label, {
          body: { [name]: value },
          query: [[name, value]],
          pathParameters: [{ name: 'id', value, mayContainSlashes: true }],
        });
        const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true });
        expect(diagnostics).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

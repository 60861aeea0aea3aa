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

const PNG = { name: 'a.png', type: 'image/png' };
/** The ways in which a request can carry data. */
const FORMS = {
  none: { method: 'GET', body: undefined },
  query: { method: 'GET', body: undefined, query: [['search', 'a b']] },
  json: { body: { title: 'A' } },
  form: { body: { title: 'A' }, file: { field: 'file', ...PNG } },
  upload: { body: undefined, file: { field: '', ...PNG } },
} as const satisfies Readonly<Record<string, Partial<SampleRequest>>>;

/** How each language writes each form: what the whole code matches. */
const ROWS: Readonly<Record<string, Readonly<Record<keyof typeof FORMS, RegExp>>>> = {
  curl: {
    none: /^curl 'https:\/\/example.com\/x'$/,
    query: /^curl '.*\/x\?search=a%20b'$/,
    json: /--request POST .*'Content-Type: application\/json' .*--data '\{.*"title": "A".*\}'$/s,
    form: /--request POST .*--form 'file=@a\.png' .*--form-string 'title=A'$/s,
    upload: /'Content-Type: image\/png' .*'Content-Disposition: .*"a\.png"' .*--data-binary '@a\.png'$/s,
  },
  TypeScript: {
    none: /client\.GET\('\/x'\);/,
    query: /client\.GET\('\/x', \{\n {2}query: \{ search: 'a b' \},\n\}\);/,
    json: /client\.POST\('\/x', \{\n {2}body: \{ title: 'A' \},\n\}\);/,
    form: /openAsBlob\('a\.png'\).*client\.POST\('\/x', \{\n {2}file,\n {2}body: \{ title: 'A' \},\n\}\);/s,
    upload: /openAsBlob\('a\.png'\).*client\.POST\('\/x', \{\n {2}file,\n\}\);/s,
  },
  fetch: {
    none: /fetch\('https:\/\/example.com\/x'\);/,
    query: /fetch\('.*\/x\?search=a%20b'\);/,
    json: /method: 'POST',.*'Content-Type': 'application\/json',.* body: JSON\.stringify\(\{ title: 'A' \}\)/s,
    form: /openAsBlob.*append\('file', file\);\n.*append\('title', 'A'\);.*\{\n {2}method: 'POST',\n {2}body: form,/s,
    upload: /openAsBlob.*'Content-Type': 'image\/png',.*'Content-Disposition': .*"a\.png"',.* body: file,/s,
  },
  PHP: {
    none: /^<\?php\n.*'https:\/\/example.com\/x'(?!.*CURLOPT_(?!RETURN))/s,
    query: /^<\?php\n.*\/x\?search=a%20b'(?!.*CURLOPT_(?!RETURN))/s,
    json: /CUSTOMREQUEST => 'POST',.*'Content-Type: application\/json'.*json_encode\(\[ 'title' => 'A' \]\)/s,
    form: /POSTFIELDS => \['file' => new CURLFile\('a\.png', 'image\/png'\), 'title' => 'A'\]/,
    upload: /'Content-Type: image\/png', 'Content-Disposition: .*"a\.png"'.*file_get_contents\('a\.png'\)/s,
  },
  Python: {
    none: /request\(\n {2}'GET',\n {2}'https:\/\/example.com\/x',\n\)/,
    query: /request\(\n {2}'GET',\n {2}'.*\/x\?search=a%20b',\n\)/,
    json: /'POST',\n.*\n {2}json=\{ 'title': 'A' \},\n\)/,
    form: /files=\{'file': \('a\.png', open\('a\.png', 'rb'\), 'image\/png'\)\},\n {2}data=\{ 'title': 'A' \},/,
    upload:
      /'Content-Type': 'image\/png',.*'Content-Disposition': .*"a\.png"'.*data=open\('a\.png', 'rb'\),/s,
  },
};

const PLAIN = { ...REQUEST, path: '/x', pathParameters: [], query: [], credentials: 'none' } as const;

test.each(
  createCodeSamples(REQUEST).flatMap(({ label }) =>
    Object.entries(FORMS).map(([form, request]) => [label, form, request] as const),
  ),
)('%s has a row for the form %s, and writes it so', (label, form, request) => {
  const expected = new Map(Object.entries(ROWS[label] ?? {})).get(form);
  expect(expected, `add the rows of ${label} to ROWS`).toBeDefined();
  expect(sample(label, { ...PLAIN, ...request })).toMatch(expected ?? '');
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

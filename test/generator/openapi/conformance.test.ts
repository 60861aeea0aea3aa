import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { stringifyDocument } from '../../../src/generator/openapi/index.ts';
import { lintDocumentText, listTypeErrors, validateSchemas } from '../../support/document-checks.ts';
import { measureIndexCoverage } from '../../support/index-coverage.ts';
import { readOtherIndexes, readRecorded } from '../../support/recorded-indexes.ts';
import { generateFrom } from '../../support/site.ts';

const INDEXES: readonly (readonly [name: string, index: JsonObject])[] = [
  ['WordPress 7.1 with schemas', readRecorded('wordpress-7.1-index-help.json')],
  ['a site with Simple History', readRecorded('simple-history-index.json')],
  ['a site without routes', { name: '', routes: [] }],
  ...readOtherIndexes(),
];

describe.each(INDEXES)('the document of %s', (name, raw) => {
  const { document, report } = generateFrom(raw);
  const text = stringifyDocument(document);

  it('has every method of every endpoint as an operation, and every argument in it', () => {
    const { missing, shadowed } = measureIndexCoverage(raw, JSON.parse(text));
    expect(missing).toEqual([]);
    // The report names endpoints that an earlier endpoint of the same route shadows.
    expect(report.rules['dead-endpoint'] ?? 0).toBe(shadowed.length);
  });

  it('passes the spec ruleset of Redocly without an error', async () => {
    expect(await lintDocumentText(text)).toEqual([]);
  });

  it('has only schemas that Ajv 2020-12 compiles, and only defaults that their schemas allow', () => {
    const { broken, refused } = validateSchemas(JSON.parse(text));
    expect(broken).toEqual([]);
    expect(refused).toEqual([]);
  });

  // That of WordPress 7.1 is compiled by `test/generator/types/module.test.ts`.
  it.skipIf(name.startsWith('WordPress'))('gives types by openapi-typescript that compile', async () => {
    expect(await listTypeErrors(text)).toEqual([]);
  });
});

describe('a site that grows', () => {
  it('keeps the names and the content of its existing operations and schemas', () => {
    const { routes, ...index } = Object(readRecorded('wordpress-7.1-index-help.json'));
    const partialRoutes = Object.fromEntries(Object.entries(routes).slice(0, 100));
    const fullDocument = generateFrom({ ...index, routes }).document;
    const partialDocument = generateFrom({ ...index, routes: partialRoutes }).document;
    for (const [path, item] of Object.entries(partialDocument.paths))
      expect(JSON.stringify(fullDocument.paths[path])).toBe(JSON.stringify(item));
    const schemas = (document: typeof fullDocument) => Object(Object(document['components'])['schemas']);
    // A relation can lead to a resource of a later route.
    const isStable = (name: string) => !name.endsWith('Embedded');
    for (const [name, schema] of Object.entries(schemas(partialDocument)).filter(([each]) => isStable(each)))
      expect(JSON.stringify(schemas(fullDocument)[name])).toBe(JSON.stringify(schema));
  });
});

import { describe, expect, test } from 'vitest';
import { toSchemaName } from '../../../src/model/naming/names.ts';
import { toOpenApi } from '../../../src/openapi/index.ts';
import { createDiscoveredSite } from '../../support/site.ts';

describe('the name of a schema', () => {
  test.each([
    ['post', 'Post'],
    ['search result', 'SearchResult'],
    ['export template', 'ExportTemplate'],
    ['404 page', 'Schema404Page'],
    // A global type.
    ['request', 'RequestResource'],
    // A name that a generator derives from that of an operation.
    ['list posts params', 'ListPostsParamsResource'],
    ['move task result', 'MoveTaskResultResource'],
    ['order refund result', 'OrderRefundResult'],
  ])('of %s is %s', (words, name) => {
    expect(toSchemaName(words.split(' '))).toBe(name);
  });
});

describe('the names of a document', () => {
  test('differ in more than case', () => {
    const schema = (title: string, property: string) => ({
      title,
      type: 'object',
      properties: { [property]: { type: 'string' } },
    });
    const titles = ['fooBar', 'Foobar', 'FOOBAR', 'createR0Body'];
    const { document } = toOpenApi(
      createDiscoveredSite(
        Object.fromEntries(
          titles.map((_, index) => [`/wp/v2/r${index}`, { POST: { a: { type: 'string' } } }]),
        ),
        {
          schemas: Object.fromEntries(
            titles.map((title, index) => [`/wp/v2/r${index}`, schema(title, `p${index}`)]),
          ),
        },
      ),
    );
    const names = Object.keys(Object(document['components']).schemas).map((each) => each.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(titles.length);
  });
});

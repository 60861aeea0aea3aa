import { describe, expect, it } from 'vitest';
import { jsonTexts } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { narrowToNamespaces, readServedApi } from '../../../src/generator/openapi/index.ts';
import { lintDocumentText, validateSchemas } from '../../support/document-checks.ts';
import { readRecorded } from '../../support/recorded-indexes.ts';
import { generateFor, generateFrom } from '../../support/site.ts';

const index = readRecorded('wordpress-7.1-index-help.json');
const { document } = generateFrom(index);

describe('a narrowed document', () => {
  const abilities = narrowToNamespaces(document, ['wp-abilities/v1']);

  it('has the paths of its namespaces and no others', () => {
    expect(Object.keys(Object(abilities['paths']))).toEqual(
      Object.keys(document.paths).filter((path) => path.startsWith('/wp-abilities/v1')),
    );
    expect(
      runSteps(readServedApi(abilities)).routes.every(({ namespace }) => namespace === 'wp-abilities/v1'),
    ).toBe(true);
  });

  it('has only the tags and components that it uses, and is a valid document', async () => {
    const names = Object.keys(Object(Object(abilities['components'])['schemas']));
    expect(names).toContain('Ability');
    expect(names).toContain('AbilityEmbed');
    expect(names).toContain('Error');
    expect(names).not.toContain('Post');
    expect(JSON.stringify(abilities['tags'])).not.toContain('posts');
    expect(await lintDocumentText(JSON.stringify(abilities))).toEqual([]);
    expect(validateSchemas(abilities).broken).toEqual([]);
  });

  it('of all namespaces equals the document', () => {
    expect(JSON.stringify(narrowToNamespaces(document, ['', ...jsonTexts(index['namespaces'])]))).toBe(
      JSON.stringify(document),
    );
  });

  it('keeps an operation that a route of the namespace shares, and methods that OpenAPI has no field for', () => {
    const shared = generateFor(
      { '/(?P<a>\\w+)/x': 'GET', '/(?P<b>\\d+)/x': 'GET', '/p/v1/y': 'PURGE, GET', '/q/v1/z': 'PURGE' },
      { index: { namespaces: ['p/v1', 'q/v1'] } },
    );
    expect(Object.keys(Object(narrowToNamespaces(shared.document, ['p/v1'])['paths']))).toEqual(['/p/v1/y']);
    expect(Object.keys(Object(narrowToNamespaces(shared.document, [''])['paths']))).toEqual(['/{a}/x']);
    expect(
      Object(Object(narrowToNamespaces(shared.document, ['q/v1'])['paths'])['/q/v1/z'])['x-waygate-methods'],
    ).toHaveProperty('PURGE');
  });
});

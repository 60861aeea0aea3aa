import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { listOperations } from '../../../../src/generator/openapi/operations.ts';
import { toTypes } from '../../../../src/generator/types/index.ts';
import { readSeed } from '../../../support/documents.ts';
import { readShopIndex, wholeShopDocument } from '../../../support/recorded-indexes.ts';
import { generateFrom } from '../../../support/site.ts';
import { recordedDocument } from '../../types/documents.ts';

/** Documents by site, with the versions that names may have: older ones of a namespace, and a namespace that has no other word. */
const SITES: readonly (readonly [string, () => JsonObject, readonly RegExp[]])[] = [
  ['WordPress 7.1', recordedDocument, []],
  ['the content site', () => readSeed('content'), [/V1/]],
  ['the board site', () => readSeed('boards'), []],
  ['a shop with a community', wholeShopDocument, [/WcV[12]/]],
];

const namesIn = (code: string): readonly string[] =>
  Array.from(code.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name = '']) => name);
const componentsOf = (document: JsonObject): readonly string[] =>
  Object.keys(Object(document['components']).schemas);
const idsOf = (document: JsonObject): readonly (readonly [operation: string, id: string])[] =>
  listOperations(document).map(({ id, method, path }) => [`${method} ${path}`, id]);

test.each(SITES)(
  'no component, operation and type of %s has a number or a hash',
  async (_, read, versions) => {
    const withoutVersion = (name: string): string =>
      versions.reduce((text, version) => text.replace(version, ''), name);
    const document = read();
    const types = namesIn(await toTypes(document));
    for (const names of [componentsOf(document), idsOf(document).map(([, id]) => id), types]) {
      expect(names.length).toBeGreaterThan(20);
      expect(names.filter((name) => /\d|_[a-z\d]{7}/.test(withoutVersion(name)))).toEqual([]);
    }
  },
);

describe('the names of a shop with a community', () => {
  const all = wholeShopDocument();
  const ids = new Map(idsOf(all));

  test('stay when the community leaves', () => {
    const index = readShopIndex((namespace) => !namespace.startsWith('buddypress'));
    const shop = generateFrom(index).document;
    const before = new Set(componentsOf(all));
    expect(componentsOf(shop).filter((name) => !before.has(name))).toEqual([]);
    expect(idsOf(shop).filter(([operation, id]) => ids.get(operation) !== id)).toEqual([]);
  });
});

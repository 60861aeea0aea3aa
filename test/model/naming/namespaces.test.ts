import { expect, test } from 'vitest';
import { findSuccessors, NamespaceRanks } from '../../../src/model/naming/namespaces.ts';

test.each([
  [['wc/v1', 'wc/v3'], { 'wc/v1': 'wc/v3' }],
  [['wc/store', 'wc/store/v1'], { 'wc/store': 'wc/store/v1' }],
  [['wc/pos/v1/catalog', 'wc/pos/v2/catalog'], { 'wc/pos/v1/catalog': 'wc/pos/v2/catalog' }],
  [['wc/v3', 'wc/pos/v1/catalog'], {}],
  [['wpcom/v2', 'wpcom/v2', 'wpcom/v3'], {}],
])('of the routes in %j, %j are replaced', (names, successors) => {
  const found = findSuccessors(names.map((namespace) => ({ namespace })));
  expect(Object.fromEntries(found)).toEqual(successors);
  // The names of what is older are qualified, by the same reading of a version.
  const ranks = new NamespaceRanks(names);
  for (const older of found.keys()) expect(ranks.ownerOf(older).rank).toHaveLength(3);
});

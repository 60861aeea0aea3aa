import { expect, test } from 'vitest';
import { findSuccessors, ownerOf } from '../../../../src/generator/model/naming/namespaces.ts';

test.each([
  [['wc/v1', 'wc/v3'], { 'wc/v1': 'wc/v3' }],
  [['wc/store', 'wc/store/v1'], { 'wc/store': 'wc/store/v1' }],
  [['wc/pos/v1/catalog', 'wc/pos/v2/catalog'], { 'wc/pos/v1/catalog': 'wc/pos/v2/catalog' }],
  [['wc/v3', 'wc/pos/v1/catalog'], {}],
  [['wpcom/v2', 'wpcom/v2', 'wpcom/v3'], {}],
])('of the routes in %j, %j are replaced', (names, successors) => {
  const found = findSuccessors(names.map((namespace) => ({ namespace })));
  expect(Object.fromEntries(found)).toEqual(successors);
});

test.each([
  ['wp/v2', 'posts', ''],
  ['wp/v2', 'product', 'post type'],
  ['wp/v2', 'product-revision', 'post type'],
  ['wp/v2', 'toString', ''],
  ['wp/v3', 'posts', 'wp v3'],
  ['wc/v3', 'products', ''],
  ['wc/v3', 'settings', 'wc'],
  ['wc/v2', 'products', 'wc v2'],
  ['wc/v1', 'products', 'wc v1'],
  ['wc/store/v1', 'cart', 'store'],
  ['wc/store', 'cart', 'wc store'],
  ['buddypress/v1', 'members', 'bp'],
  ['yoast/v1/myyoast', 'connect', 'yoast myyoast'],
  ['jetpack/v4', 'site', 'jetpack v4'],
  ['foo/1.0', 'bars', 'foo'],
  ['v1', 'fm', 'v1'],
  ['---', 'fm', ''],
])('names of %s below %s begin with "%s"', (namespace, subject, words) => {
  expect(ownerOf(namespace, subject).qualifiers[0]).toEqual(words.split(' ').filter((word) => word !== ''));
});

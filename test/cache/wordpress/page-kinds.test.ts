import { expect, test } from 'vitest';
import { namePageKind, toPagePattern } from '../../../src/cache/wordpress/page-kinds.ts';

test.each([
  ['/', '/'],
  ['/about/', '/{}'],
  ['/2024/05/hello-world/', '/{n}/{n}/{}'],
  ['/product/cup/', '/product/{}'],
  ['/Category/news/page/2/', '/category/{}/page/{n}'],
  ['/feed/', '/feed'],
  ['/robots.txt', '/{}.txt'],
  ['/a/b/c/d/e/f/g/', '/{}/…'],
  ['/secret-1f3/x', '/{}/{}'],
])('the pattern of %s is %s', (path, pattern) => {
  expect(toPagePattern(path)).toBe(pattern);
});

test('the query of a page is part of its kind as that of a route is', () => {
  expect(namePageKind('/?s=a+long+search')).toBe(namePageKind('/?s=another+one'));
  expect(namePageKind('/shop/?orderby=price')).not.toBe(namePageKind('/shop/?orderby=date'));
  expect(namePageKind('/?p=12')).not.toBe(namePageKind('/'));
  const many = Array.from({ length: 30 }, (_, at) => `a${at}=1`).join('&');
  expect(namePageKind(`/?${many}`)).toBe('');
});

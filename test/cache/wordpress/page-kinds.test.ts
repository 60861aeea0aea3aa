import { expect, test } from 'vitest';
import { namePageKind, namePageWriteKind, toPagePattern } from '../../../src/cache/wordpress/page-kinds.ts';
import { isPageAddress } from '../../../src/cache/wordpress/page-responses.ts';

test.each([
  ['/about/', true],
  ['/wp-content/uploads/a.pdf', false],
  ['/sub/wp-includes/a.min.js', false],
  ['/wp-content/uploads/', true],
  ['/about.html/wp-content/', true],
  ['/index.php/about/', true],
  ['/wp-login.php/about', false],
  ['/wp-admin/', false],
])('whether %s leads to a page: %s', (path, isPage) => {
  expect(isPageAddress(path)).toBe(isPage);
});

test('what a path leads to is found in linear time', () => {
  expect(isPageAddress(`${'/wp-content/'.repeat(20_000)}${'.a'.repeat(100_000)}!`)).toBe(true);
});

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

test('comments by the form are one kind, whoever comments what', () => {
  const name = (path: string, fields: Readonly<Record<string, string>>): string | null => {
    const sentParameters = new Map(Object.entries(fields));
    return namePageWriteKind({ method: 'POST', path, status: 302, isAnonymous: true, sentParameters });
  };
  const anna = { author: 'Anna', comment: 'Yes', comment_post_ID: '1', comment_parent: '0' };
  const ben = { author: 'Ben', comment: 'Not at all', comment_post_ID: '12', comment_parent: '0' };
  const form = '/wp-comments-post.php';
  expect(name(form, anna)).toBe(name(form, ben));
  expect(name(form, { ...anna, plugin: 'rate' })).not.toBe(name(form, anna));
  expect(name('/contact/', anna)).not.toBe(name('/contact/', ben));
});

import { expect, test } from 'vitest';
import { itemTags } from '../../../src/cache/dependencies/item-tags.ts';

test.each([
  ['/2024/05/Hello/', 'L/2024/05/hello'],
  ['/2024/05/hello', 'L/2024/05/hello'],
  ['/2024/05/hello/feed/', 'L/2024/05/hello'],
  ['/2024/05/hello/feed/atom/', 'L/2024/05/hello'],
  ['/2024/05/hello/comment-page-2/', 'L/2024/05/hello'],
  ['/category/news/page/3/', 'L/category/news'],
  ['/feed/', 'L/'],
  ['/', 'L/'],
  ['', 'L/'],
  ['///', 'L/'],
])('all links to an item have one tag: %j', (path, tag) => {
  expect(itemTags.link(path)).toBe(tag);
});

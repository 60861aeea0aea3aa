import { expect, test } from 'vitest';
import { tagNames } from '../../../src/cache/dependencies/tags.ts';

test.each([
  ['/2024/05/Hello/', 'L/2024/05/hello'],
  ['/2024/05/hello', 'L/2024/05/hello'],
  ['/2024/05/hello/feed/', 'L/2024/05/hello'],
  ['/2024/05/hello/feed/atom/', 'L/2024/05/hello'],
  ['/2024/05/hello/comment-page-2/', 'L/2024/05/hello'],
  ['/category/news/page/3/', 'L/category/news'],
  ['/2024/%C3%A9t%C3%A9/', 'L/2024/%c3%a9t%c3%a9'],
  ['/2024/%c3%a9t%c3%a9/', 'L/2024/%c3%a9t%c3%a9'],
  ['/2024/\u00c3\u00a9t\u00c3\u00a9/', 'L/2024/%c3%a9t%c3%a9'],
  ['/wp-content/uploads/2024/cup-300x200.jpg', 'L/wp-content/uploads/2024/cup.jpg'],
  ['/wp-content/uploads/2024/cup-scaled.jpg', 'L/wp-content/uploads/2024/cup.jpg'],
  ['/offer-300x200.jpg', 'L/offer-300x200.jpg'],
  ['/feed/', 'L/'],
  ['/', 'L/'],
  ['', 'L/'],
  ['///', 'L/'],
])('all links to an item have one tag: %j', (path, tag) => {
  expect(tagNames.link(path)).toBe(tag);
});

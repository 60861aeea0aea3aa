import { expect, test } from 'vitest';
import { pageTag, tagNames } from '../../../src/cache/dependencies/tags.ts';
import { describeTag } from '../../../src/gateway/console/cache.tsx';

const POSTS = '/wp/v2/posts';

test.each([
  ['/', 'everything'],
  [`${POSTS}/12`, 'this path'],
  [tagNames.exactRoute(POSTS), 'exactly this route'],
  [tagNames.listByAnyField(POSTS), 'any field'],
  [tagNames.commentsOfAnyPost('/wp/v2/comments'), 'comments of any post'],
  [tagNames.commentsOf('/wp/v2/comments', '12'), 'comments of this post'],
  [tagNames.reference('/wp/v2/users/3'), 'refers to the item'],
  [tagNames.mention('120'), 'by its id'],
  [tagNames.customName('news'), 'a name of the site'],
  [pageTag('/about'), 'pages at this path'],
  [tagNames.link('/hello/'), 'links to this path'],
  [tagNames.post('12'), 'shows the item'],
  [tagNames.anyComments, 'a comment of any item'],
  [tagNames.comments('/hello/'), 'comments of the item at this path'],
  [tagNames.search, 'searches'],
  [tagNames.feed, 'feeds'],
  [tagNames.anyItem, 'may show any item'],
  [`R"${POSTS}"[["page",0,"2"]]`, 'one address of the REST API'],
  ['A/about', 'one address of a page'],
])('the tag %s is explained', (tag, words) => {
  expect(describeTag(tag)).toContain(words);
});

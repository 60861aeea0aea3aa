import { expect, test } from 'vitest';
import {
  DYNAMIC_CONTENT_TAG,
  OPAQUE_REFERENCES_TAG,
  OPAQUE_TAG,
  pageTag,
  tagNames,
} from '../../../src/cache/wordpress/resource-map.ts';
import { describeTag } from '../../../src/gateway/console/cache.tsx';

const POSTS = '/wp/v2/posts';

test.each([
  ['/', 'everything'],
  [`${POSTS}/12`, 'this path'],
  [tagNames.exactRoute(POSTS), 'exactly this route'],
  [tagNames.unfilteredList(POSTS), 'without a filter'],
  [tagNames.anyList(POSTS), 'all lists'],
  [tagNames.listFilteredBy(POSTS, 'tags'), 'with this filter'],
  [tagNames.listFilteredTo(POSTS, 'tags', '3'), 'with this filter'],
  [tagNames.fieldDependency(POSTS, 'date'), 'this field'],
  [tagNames.anyFieldDependency(POSTS), 'any field'],
  [tagNames.ownRoutes(`${POSTS}/12`), 'own routes'],
  [tagNames.reference('/wp/v2/users/3'), 'refers to the item'],
  [tagNames.mention('120'), 'by its id'],
  [tagNames.customName('news'), 'a name of the site'],
  [pageTag('/about'), 'pages at this path'],
  [OPAQUE_TAG, 'contain any item'],
  [OPAQUE_REFERENCES_TAG, 'refer to any item'],
  [DYNAMIC_CONTENT_TAG, 'other items'],
  [`R"${POSTS}"[["page",0,"2"]]`, 'one address of the REST API'],
  ['A/about', 'one address of a page'],
])('the tag %s is explained', (tag, words) => {
  expect(describeTag(tag)).toContain(words);
});

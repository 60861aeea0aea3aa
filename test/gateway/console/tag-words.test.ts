import { expect, test } from 'vitest';
import { pageTag, tagNames } from '../../../src/cache/dependencies/tags.ts';
import { describeTag } from '../../../src/gateway/console/cache.tsx';

const POSTS = '/wp/v2/posts';

test.each([
  ['/', 'everything'],
  [`${POSTS}/12`, 'this path'],
  [tagNames.exactRoute(POSTS), 'exactly this route'],
  [tagNames.customName('news'), 'a name of the site'],
  [pageTag('/about'), 'pages at this path'],
  [`R"${POSTS}"[["page",0,"2"]]`, 'one address of the REST API'],
  ['A/about', 'one address of a page'],
])('the tag %s is explained', (tag, words) => {
  expect(describeTag(tag)).toContain(words);
});

import { paginate } from '../../client.ts';

const titles: string[] = [];
// @ts-expect-error: the site ignores the page beside an offset, so paginate throws a TypeError
for await (const post of paginate(client, '/wp/v2/posts', { query: { offset: 20 } }))
  titles.push(post.title.rendered);

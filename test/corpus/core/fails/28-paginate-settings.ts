import { paginate } from '../../client.ts';

const names: string[] = [];
for await (const tag of paginate(client, '/wp/v2/tags')) names.push(tag.name);

// @ts-expect-error: the site answers one object, which has no pages and cannot be iterated
for await (const setting of paginate(client, '/wp/v2/settings')) names.push(String(setting));

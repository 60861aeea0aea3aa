import { paginate } from '../../client.ts';
import { connect } from '../../setup.ts';

const client = connect();

const names: string[] = [];
for await (const tag of paginate(client, '/wp/v2/tags')) names.push(tag.name);

// @ts-expect-error: the site answers one object, which has no pages and cannot be iterated
for await (const setting of paginate(client, '/wp/v2/settings')) names.push(String(setting));

import { batch } from '../../client.ts';

// @ts-expect-error: the site answers 501 rest_trash_not_supported, because users have no trash
await client.DELETE('/wp/v2/users/{id}', { path: { id: 2 }, query: { reassign: 1, force: false } });

await batch(client, [['DELETE', '/wp/v2/tags/{id}', { path: { id: 1 }, query: { force: true } }]]);

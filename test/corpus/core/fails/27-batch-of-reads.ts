import { batch } from '../../client.ts';

await batch(client, [['POST', '/wp/v2/tags', { body: { name: 'Corpus batch' } }]]);
// @ts-expect-error: the site answers 400 rest_invalid_param, because a batch takes no GET
await batch(client, [['GET', '/wp/v2/tags']]);

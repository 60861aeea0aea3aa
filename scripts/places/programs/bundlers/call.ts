import { createClient } from './api/site.client.ts';

const client = createClient({ baseUrl: '/wp-json', auth: { username: 'a', password: 'b' } });
client.GET('/wp/v2/posts').then(console.log);

import { listPosts } from '../../posts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async () => ({
  posts: await listPosts(process.env['SITE_URL'] ?? '/wp-json'),
});

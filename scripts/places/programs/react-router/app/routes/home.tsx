import { listPosts } from '../../posts';
import type { Route } from './+types/home';

export const loader = async () => ({ posts: await listPosts(process.env['SITE_URL'] ?? '/wp-json') });

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <ul>
      {loaderData.posts.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

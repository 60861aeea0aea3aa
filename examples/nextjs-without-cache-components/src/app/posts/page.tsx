import Link from 'next/link';
import { site } from '@/api';
import { cacheTags } from '@/api/site.client';

export default async function Page() {
  const { data: posts } = await site.GET('/wp/v2/posts', {
    query: { per_page: 5, _fields: ['id', 'title'] },
    init: { next: { tags: cacheTags('/wp/v2/posts') } },
  });
  return (
    <ul>
      {posts.map(({ id, title }) => (
        <li key={id}>
          <Link href={`/posts/${id}`} dangerouslySetInnerHTML={{ __html: title.rendered }} />
        </li>
      ))}
    </ul>
  );
}

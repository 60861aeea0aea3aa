import Link from 'next/link';
import { readPosts } from '@/api';

export default async function Page() {
  return (
    <ul>
      {(await readPosts()).map(({ id, title }) => (
        <li key={id}>
          <Link href={`/posts/${id}`}>{title.rendered}</Link>
        </li>
      ))}
    </ul>
  );
}

import { notFound } from 'next/navigation';
import { site } from '@/api';
import { cacheTags } from '@/api/site.client';
import { TitleForm } from './title-form';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const path = { id: Number((await params).id) };
  const { data: post, error } = await site.GET('/wp/v2/posts/{id}', {
    path,
    init: { next: { tags: cacheTags('/wp/v2/posts/{id}', { path }) } },
    throw: false,
  });
  if (error?.code === 'rest_post_invalid_id') notFound();
  if (error) throw new Error(error.message);
  return (
    <>
      <h1 dangerouslySetInnerHTML={{ __html: post.title.rendered }} />
      <TitleForm id={post.id} />
    </>
  );
}

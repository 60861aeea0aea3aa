import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { readPost } from '@/api';
import { TitleForm } from './title-form';

async function Post({ params }: { params: Promise<{ id: string }> }) {
  const post = await readPost(Number((await params).id));
  if (post === undefined) notFound();
  return (
    <>
      <h1>{post.title.rendered}</h1>
      <TitleForm id={post.id} />
    </>
  );
}

export default function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Suspense>
      <Post params={params} />
    </Suspense>
  );
}

import { createClient, paginate } from './api/site.client.ts';

/** What a person needs to know about the site: its REST root, and an application password. */
export interface Connection {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
}

/** A PNG image of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Creates, edits, uploads, reads to the end, and handles errors by their code. It leaves the site as it was. */
export async function runFirstHour({ baseUrl, ...auth }: Connection) {
  const client = createClient({ baseUrl, auth });

  const created = await client.POST('/wp/v2/posts', {
    body: { title: 'Grüße', status: 'draft' },
    throw: true,
  });
  const path = { id: created.data.id };

  const draft = await client.GET('/wp/v2/posts/{id}', { path, query: { context: 'edit' }, throw: true });
  const title = `${draft.data.title.raw} aus “Zürich”`;
  const edited = await client.POST('/wp/v2/posts/{id}', {
    path,
    body: { title, status: 'publish' },
    throw: true,
  });

  const bytes = Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0));
  const uploaded = await client.POST('/wp/v2/media', {
    file: new File([bytes], 'größe “1”.png', { type: 'image/png' }),
    body: { alt_text: 'Ein Punkt', post: path.id },
    throw: true,
  });

  const titles: string[] = [];
  const { total } = await client.GET('/wp/v2/posts', { query: { per_page: 1 }, throw: true });
  for await (const post of paginate(client, '/wp/v2/posts', { query: { per_page: 4, _fields: ['title'] } })) {
    titles.push(post.title.rendered);
  }

  const refused = await client.GET('/wp/v2/posts', { query: { per_page: 1000 } });
  const parameters =
    refused.error?.code === 'rest_invalid_param' ? Object.keys(refused.error.data.params) : [];

  await client.DELETE('/wp/v2/media/{id}', {
    path: { id: uploaded.data.id },
    query: { force: true },
    throw: true,
  });
  const deleted = await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true }, throw: true });
  const gone = await client.GET('/wp/v2/posts/{id}', { path });

  return {
    raw: edited.data.title.raw,
    status: edited.data.status,
    alt: uploaded.data.alt_text,
    isAttached: uploaded.data.post === path.id,
    type: uploaded.data.mime_type,
    isComplete: titles.length === total,
    isListed: titles.some((text) => text.includes('Zürich')),
    parameters,
    deleted: deleted.data.previous.id === path.id,
    gone: gone.error?.code === 'rest_post_invalid_id',
  };
}

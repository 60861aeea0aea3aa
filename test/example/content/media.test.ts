import { describe, expect, test } from 'vitest';
import { drawLandscape } from '../../../src/example/content/images.ts';
import type { ContentState } from '../../../src/example/content/index.ts';
import { createContentClient, type SiteClient } from '../support/site-client.ts';

const MEDIA = '/core/v2/media';
const PNG = drawLandscape({ width: 400, height: 200, blue: 210, shape: 9 });

function uploadHeaders(name: string, type = 'image/png'): Record<string, string> {
  return { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
}

async function file({ site }: SiteClient<ContentState>, address: string): Promise<Uint8Array> {
  const response = await site.request(address);
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

describe('an upload', () => {
  test('is stored, served, described, edited and deleted, with sizes that have its bytes', async () => {
    const client = createContentClient();
    const { call } = client;
    const form = new FormData();
    form.set('file', new File([new Uint8Array(PNG)], 'Grey sea.png', { type: 'image/png' }));
    form.set('alt_text', 'The sea');
    const created = await call('editor', `POST ${MEDIA}`, form);
    expect(created).toMatchObject({
      status: 201,
      body: { title: { raw: 'Grey-sea' }, alt_text: 'The sea', media_type: 'image', mime_type: 'image/png' },
    });
    const { id, source_url, media_details } = created.body;
    expect(await file(client, source_url)).toEqual(PNG);
    expect(media_details).toMatchObject({ width: 400, height: 200, filesize: PNG.length });
    expect(media_details.sizes).toMatchObject({
      medium: { width: 300, height: 150 },
      thumbnail: { width: 150, height: 150 },
    });
    expect(await file(client, media_details.sizes.thumbnail.source_url)).toEqual(PNG);

    const caption = await call('editor', `POST ${MEDIA}/${id}`, {
      caption: 'Calm',
      description: { raw: 'Water' },
    });
    expect(caption.body).toMatchObject({ caption: { raw: 'Calm' }, description: { raw: 'Water' } });
    const processed = await call('editor', `POST ${MEDIA}/${id}/post-process`, {
      action: 'create-image-subsizes',
    });
    expect(processed.body.missing_image_sizes).toEqual([]);

    const modifiers = [
      { type: 'crop', args: { left: 0, top: 0, width: 50, height: 50 } },
      { type: 'rotate', args: { angle: 90 } },
      { type: 'flip', args: { flip: { horizontal: true, vertical: false } } },
    ];
    const edited = await call('editor', `POST ${MEDIA}/${id}/edit`, { src: source_url, modifiers });
    expect(edited.status).toBe(201);
    expect(edited.body.source_url).toMatch(/Grey-sea-edited\.png$/);
    expect(edited.body.media_details).toMatchObject({
      width: 100,
      height: 200,
      parent_image: { attachment_id: id },
    });
    expect(edited.body.media_details.parent_image.modifiers).toHaveLength(3);
    expect(await file(client, edited.body.source_url)).toEqual(PNG);

    await call('editor', `DELETE ${MEDIA}/${id}?force=true`);
    expect((await client.site.request(source_url)).status).toBe(404);
  });

  test('with a taken file name gets a number', async () => {
    const { call } = createContentClient();
    const names: string[] = [];
    for (let time = 0; time < 3; time++) {
      const { body } = await call('editor', `POST ${MEDIA}`, PNG, uploadHeaders('sea.png'));
      names.push(body.source_url.replace(/.*\//, ''));
    }
    expect(names).toEqual(['sea.png', 'sea-1.png', 'sea-2.png']);
  });

  test.each([
    ['a path in its name', '../../index.png', 201],
    ['a script', 'shell.php', 500],
    ['a script with two extensions', 'shell.png.php', 500],
    ['no extension', 'sea', 500],
    ['the extension of another image type', 'sea.jpg', 500],
  ])('with %s is stored safely or rejected', async (_, name, status) => {
    const { call, site } = createContentClient();
    const before = site.state().files.size;
    const response = await call('editor', `POST ${MEDIA}`, PNG, uploadHeaders(name));
    expect(response.status).toBe(status);
    if (status !== 201) expect(site.state().files.size).toBe(before);
    else expect(response.body.source_url).toMatch(/\/wp-content\/uploads\/\d{4}\/\d\d\/index\.png$/);
  });

  test.each<[string, number[]]>([
    ['jpeg', [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 2, 0, 2, 1, 1, 0x11, 0, 0xff, 0xd9]],
    ['gif', [...Buffer.from('GIF89a'), 2, 0, 2, 0, 0, 0, 0, 0x3b]],
    ['webp', [...Buffer.from('RIFF\x0e\0\0\0WEBPVP8L\x02\0\0\0\x2f\0')]],
  ])('of %s is stored with its size', async (type, bytes) => {
    const { call } = createContentClient();
    const headers = uploadHeaders(`sea.${type}`, `image/${type}`);
    const { body } = await call('editor', `POST ${MEDIA}`, Uint8Array.from(bytes), headers);
    expect(body).toMatchObject({
      media_type: 'image',
      mime_type: `image/${type}`,
      media_details: type === 'webp' ? { width: 1, height: 1 } : { width: 2, height: 2 },
    });
  });

  test('above the size limit is rejected', async () => {
    const { call } = createContentClient();
    const raw = new Uint8Array(10 * 1024 * 1024 + 1);
    const response = await call('editor', `POST ${MEDIA}`, raw, uploadHeaders('long.txt', 'text/plain'));
    expect(response.outcome).toBe('400 rest_upload_file_too_big');
  });

  test('through the extension can be cancelled', async () => {
    const client = createContentClient();
    const sent = await client.call('editor', 'PUT /ext-a/v1/upload', PNG, uploadHeaders('sea.png'));
    expect(await file(client, sent.body.url)).toEqual(PNG);
    const cancelled = await client.call('editor', 'POST /v1/fm/cancel', { id: sent.body.id });
    expect(cancelled.body).toEqual({ cancelled: 1, remaining: 0 });
    expect((await client.site.request(sent.body.url)).status).toBe(404);
  });
});

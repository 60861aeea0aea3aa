import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { failed, runExample, type SiteResponder, useAgentShop } from './agent.ts';
import { connectLocal } from './local.ts';

const runShop = useAgentShop();
const folder = useFolder();
const PICTURE = { name: 'a "sun".png', base64: btoa('bytes of a picture') };

const respond: SiteResponder = ({ method, path }) =>
  path.startsWith('/wp/v2/media') && method === 'POST'
    ? { status: 201, body: { id: 55, status: 'inherit', source_url: 'https://example.com/sun.png' } }
    : { body: { id: 7, status: path.includes('/posts/8') ? 'publish' : 'draft', content: { raw: 'now' } } };

test('a picture is uploaded as a form, is told to be public, and belongs to no public item at draft', async () => {
  const shop = await runShop(respond, { writes: ['draft'] });
  const { call } = shop;
  const upload = (more: object): ReturnType<typeof call> =>
    call('write_operation', { id: 'createMedia', body: { file: PICTURE, ...more } });
  const { content, text } = await upload({ alt_text: 'A sun', post: 7 });
  expect(text).toMatch(/^HTTP 201.*A file is public at its address/);
  expect(JSON.parse(content)).toMatchObject({ id: 55, source_url: 'https://example.com/sun.png' });
  const [sent] = shop.requests.filter(({ method }) => method === 'POST');
  expect(sent?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=waygate-/);
  expect(sent?.body).toMatch(
    /name="slug"\r\n\r\nfile-[\da-f]{6}\r\n.*name="alt_text"\r\n\r\nA sun\r\n.*name="file"; filename="a _sun_.png"\r\n\r\nbytes of a picture\r\n--.*--\r\n$/s,
  );
  await upload({ alt_text: 'A sun' });
  const boundaries = shop.requests.flatMap(
    ({ headers }) => /boundary=.*/.exec(headers['content-type'] ?? '') ?? [],
  );
  expect(new Set(boundaries).size).toBe(2);
  for (const taken of [{ post: 8 }, { slug: 'bank-details' }])
    expect(await upload(taken)).toMatchObject(failed('a person publishes it'));
  expect(await upload({ file: { name: 'a.png', base64: '<svg>' } })).toMatchObject(failed('"file" must be'));
  expect(await upload({ file: { path: '/etc/passwd' } })).toMatchObject(failed('"file" must be'));
  expect(shop.requests.filter(({ method }) => method === 'POST').length).toBe(2);
});

test('files are checked before the first is uploaded, and stand for ids only', async () => {
  const shop = await runShop(
    (request) =>
      request.path.startsWith('/wp/v2/media') ? { status: 400, body: { code: 'x' } } : respond(request),
    { writes: ['draft'] },
  );
  const { call } = shop;
  const create = (body: object): ReturnType<typeof call> =>
    call('write_operation', { id: 'createPost', body });
  const picture = { file: PICTURE };
  expect(await create({ featured_media: picture, author: { file: 'x' } })).toMatchObject(
    failed('"file" must be'),
  );
  expect(await create({ featured_media: picture, format: 'song' })).toMatchObject(
    failed('Invalid parameter(s): format'),
  );
  await create({ title: picture });
  expect(shop.requests.flatMap(({ method, body }) => (method === 'POST' ? [body] : []))).toEqual([
    { title: picture },
  ]);
  expect(await create({ featured_media: picture })).toMatchObject(failed('has not taken the file'));
  const failedUpload = await call('write_operation', { id: 'createMedia', body: picture });
  expect(failedUpload).toMatchObject(failed('HTTP 400'));
  expect(failedUpload.text).not.toContain('public');
});

test('an answer says which files stay, whatever became of the item', async () => {
  for (const [status, code] of [
    [201, 'HTTP 201'],
    [400, 'HTTP 400'],
  ] as const) {
    const { call } = await runShop(
      ({ method, path }) =>
        path.startsWith('/wp/v2/media')
          ? { status: 201, body: { id: 55 } }
          : {
              status: method === 'POST' ? status : 200,
              body: { id: 7, status: 'draft', featured_media: 55 },
            },
      { writes: ['draft'] },
    );
    const body = { title: 'A', featured_media: { file: PICTURE } };
    const { text } = await call('write_operation', { id: 'createPost', body });
    expect(text).toMatch(new RegExp(`^${code}.*Uploaded, and public at their addresses: media 55$`));
  }
});

test('over stdio, files of the folder that the operator names are uploaded, and no others', async () => {
  const { auth, url } = await runExample();
  const pictures = join(folder(), 'pictures');
  mkdirSync(pictures);
  writeFileSync(join(pictures, 'sun.txt'), 'bytes');
  writeFileSync(join(folder(), 'secret.txt'), 'secret');
  mkdirSync(`${pictures}-2`);
  writeFileSync(join(`${pictures}-2`, 'moon.txt'), 'bytes');
  symlinkSync(join(folder(), 'secret.txt'), join(pictures, 'link.txt'));
  const { call } = await connectLocal([url, '--writes', 'draft', '--files', pictures], {
    WAYGATE_AUTH: auth,
  });
  const upload = (path: string): ReturnType<typeof call> =>
    call('write_operation', { id: 'createMedia', body: { file: { path } } });
  expect((await upload('sun.txt')).text).toMatch(/^HTTP 20[01]/);
  for (const path of [
    '../secret.txt',
    '../pictures-2/moon.txt',
    'link.txt',
    join(folder(), 'secret.txt'),
    '.',
    '',
  ])
    expect(await upload(path)).toMatchObject(failed('"file" must be'));
});

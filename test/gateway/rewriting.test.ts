import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { type ReceivedRequest, startEchoSite } from '../support/echo-site.ts';
import { ADAPTERS, type RunningGateway } from '../support/gateway.ts';

/** The front page that the index of the echo site states. */
const HOME = 'https://public.example.com';

describe.each(Object.entries(ADAPTERS))('rewriteBodies with %s', (_, start) => {
  async function run(options: Partial<GatewayOptions['sites'][number]> = {}): Promise<{
    readonly running: RunningGateway;
    readonly received: readonly ReceivedRequest[];
  }> {
    const site = await startEchoSite((request, response) => {
      response.setHeader('Content-Type', 'application/octet-stream');
      response.end(JSON.stringify(request));
      return true;
    });
    closeAfterTest(site.close);
    const running = await start({
      sites: [{ url: site.origin, rewriteBodies: true, passthrough: true, ...options }],
      cache: 'memory',
    });
    closeAfterTest(running.stop);
    return { running, received: site.received };
  }

  test.each(['off', 'observe'] as const)('rewrites JSON and forms, with validation %s', async (mode) => {
    const { received, running } = await run({ validation: { mode } });
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const body = JSON.stringify({ title: `é ${running.origin}/p` });
    await (await running.request('/core/v2/posts', { ...json, body })).text();
    const form = new URLSearchParams({ title: `${running.origin}/p` });
    await (await running.request('/wp-admin/post.php', { method: 'POST', body: form })).text();
    const writes = received.slice(-2);
    expect(writes.map((request) => request.body)).toEqual([
      JSON.stringify({ title: `é ${HOME}/p` }),
      new URLSearchParams({ title: `${HOME}/p` }).toString(),
    ]);
    for (const { body: sent, headers } of writes) {
      expect(headers['content-length']).toBe(String(Buffer.byteLength(sent)));
    }
  });

  test('streams a body of more than 1 MiB', async () => {
    const { received, running } = await run();
    const count = 60_000;
    const init = { method: 'POST', headers: { 'Content-Type': 'text/plain' } };
    await (await running.request('/form', { ...init, body: `${running.origin}/page `.repeat(count) })).text();
    expect(received.at(-1)?.body === `${HOME}/page `.repeat(count)).toBe(true);
  });

  test('rewrites parameters of the query and Referer', async () => {
    const { received, running } = await run();
    const url = encodeURIComponent(`${running.origin}/p`);
    // Requests that may use the store have no Referer.
    const init = { method: 'POST', headers: { Referer: `${running.origin}/` } };
    await (await running.request(`/wp-login.php?redirect_to=${url}`, init)).text();
    expect(received.at(-1)?.url).toBe(`/wp-login.php?redirect_to=${encodeURIComponent(`${HOME}/p`)}`);
    expect(received.at(-1)?.headers['referer']).toBe(`${HOME}/`);
  });

  test.each(['off', 'observe'] as const)(
    'rewrites the texts of a form with a file, with validation %s',
    async (mode) => {
      const { received, running } = await run({ validation: { mode } });
      for (const path of ['/wp-admin/admin.php?page=wc-settings&tab=email', '/core/v2/media']) {
        const form = new FormData();
        form.set('woocommerce_email_header_image', `${running.origin}/logo.png`);
        form.set('file', new Blob([`${running.origin}/p`]), 'a.txt');
        await (await running.request(path, { method: 'POST', body: form })).text();
        const { body: sent = '', headers } = received.at(-1) ?? {};
        expect(sent).toContain(`\r\n\r\n${HOME}/logo.png\r\n`);
        expect(sent).toContain(`\r\n\r\n${running.origin}/p\r\n`);
        expect([undefined, String(Buffer.byteLength(sent))]).toContain(headers?.['content-length']);
      }
    },
  );

  test('leaves uploads unchanged', async () => {
    const { received, running } = await run();
    const form = new FormData();
    form.set('file', new Blob([`${running.origin}/p`]), 'a.txt');
    await (await running.request('/wp-admin/async-upload.php', { method: 'POST', body: form })).text();
    expect(received.at(-1)?.body).toContain(`${running.origin}/p`);
  });

  test.each<[string, string]>([
    ['a pattern', '.*'],
    ['a replacement', "$&$'"],
    ['an address', 'a/../b?c#d'],
    ['credentials', 'public.example.com@evil.example'],
    ['nothing', ''],
  ])('a host that is %s replaces nothing but itself', async (_, host) => {
    const { received, running } = await run();
    const content = `http://evil.example/p and ${running.origin}x`;
    const headers = { 'Content-Type': 'text/plain', Host: host, 'X-Forwarded-Host': host };
    // A client of HTTP/2 refuses some of them itself.
    const response = await running
      .request('/form', { method: 'POST', headers, body: content })
      .catch(() => null);
    expect([undefined, 200, 400, 421]).toContain(response?.status);
    await response?.text();
    const sent = received.at(-1);
    // Of the index, a GET.
    if (sent?.method === 'POST') expect(sent.body).toBe(content);
    expect(received.some((each) => each.headers['host'] === host)).toBe(false);
    // What others get does not name it.
    const read = async (): Promise<string> => (await running.request('/wp-content/a.css')).text();
    expect([await read(), await read()].join()).not.toContain('evil');
  });

  test('without it, requests are forwarded unchanged', async () => {
    const { received, running } = await run({ rewriteBodies: false });
    const url = encodeURIComponent(`${running.origin}/p`);
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    await (await running.request(`/form?u=${url}`, { ...init, body: `"${running.origin}/p"` })).text();
    expect(received.at(-1)).toMatchObject({ body: `"${running.origin}/p"`, url: `/form?u=${url}` });
  });

  describe('entity tags', () => {
    /** Sends an image and a page with strong tags, as nginx does, confirms them, and sends ranges of the image. */
    async function runTagged(cacheControl: string): Promise<RunningGateway> {
      const site = await startEchoSite((request, response) => {
        const { 'if-none-match': known = '', 'if-range': unchanged = '"x"', range } = request.headers;
        const isImage = request.url.endsWith('.png');
        response.setHeader('ETag', '"x"').setHeader('Cache-Control', cacheControl);
        if (/(?:^|[/ ])"x"/.test(known)) response.writeHead(304).end();
        else if (!isImage) {
          response.setHeader('Content-Type', 'text/html').end(`<a href="${HOME}/p">p</a>`);
        } else if (range !== undefined && unchanged === '"x"') {
          response.writeHead(206, { 'Content-Type': 'image/png', 'Content-Range': 'bytes 0-1/4' }).end('im');
        } else response.setHeader('Content-Type', 'image/png').end('imag');
        return true;
      });
      closeAfterTest(site.close);
      const options = { url: site.origin, rewriteBodies: true, passthrough: true, cache: {} };
      const running = await start({ sites: [options], cache: 'memory' });
      closeAfterTest(running.stop);
      return running;
    }

    test.each([
      ['/a.png', 'no-store', '"x"'],
      ['/a.png', 'no-cache', '"x"'],
      ['/a.png', 'max-age=60', '"x"'],
      ['/page/', 'no-store', 'W/"x"'],
      ['/page/', 'no-cache', 'W/"x"'],
      ['/page/', 'max-age=60', 'W/"x"'],
    ])('%s with %s has the tag %s, which revalidation keeps', async (path, cacheControl, tag) => {
      const running = await runTagged(cacheControl);
      for (const known of [null, null, tag, null, tag]) {
        const headers: Record<string, string> = known === null ? {} : { 'If-None-Match': known };
        const response = await running.request(path, { headers });
        await response.arrayBuffer();
        expect([response.status, response.headers.get('etag')]).toEqual([known === null ? 200 : 304, tag]);
      }
    });

    test('a range of an image goes on with its tag', async () => {
      const running = await runTagged('no-cache');
      for (const known of [null, '"x"']) {
        const conditions: Record<string, string> = known === null ? {} : { 'If-None-Match': known };
        const etag = (await running.request('/a.png', { headers: conditions })).headers.get('etag') ?? '';
        const headers = { Range: 'bytes=0-1', 'If-Range': etag };
        const response = await running.request('/a.png', { headers });
        expect([response.status, await response.text()]).toEqual([206, 'im']);
      }
    });
  });
});

import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { startOnce } from '../support/close-after-test.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { PLAIN, runEchoSite, runGateway, runServer } from '../support/run.ts';

/** The front page that the index of the echo site states. */
const HOME = 'https://public.example.com';

describe('rewriteBodies with a gateway', () => {
  async function run(options: Partial<SiteOptions> = {}) {
    const { origin: url, received } = await runEchoSite((request, response) => {
      response.setHeader('Content-Type', 'application/octet-stream').end(JSON.stringify(request));
      return true;
    });
    const site = { url, rewriteBodies: true, passthrough: true, ...options };
    return { running: await runGateway(site, { cache: 'memory' }), received };
  }

  test.each(['off', 'observe'] as const)('rewrites JSON and forms, with validation %s', async (mode) => {
    const { received, running } = await run({ validation: { mode } });
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const body = JSON.stringify({ title: `é ${running.origin}/p` });
    await (await running.request('/wp-json/core/v2/posts', { ...json, body })).text();
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

  test('rewrites every field with a URL or the name of the site, and back in requests', async () => {
    const name = 'public.example.com';
    const fields: Readonly<Record<string, readonly [sent: string, wanted: string]>> = {
      'content-security-policy': [
        `default-src 'self' ${HOME}; script-src ${name} *.example.com cdn.example.net; img-src https://${name}.evil.test`,
        `default-src 'self' GW; script-src HOST *.example.com HOST cdn.example.net; img-src https://${name}.evil.test`,
      ],
      'content-security-policy-report-only': [
        `script-src ${name};report-uri ${HOME}/r`,
        'script-src HOST;report-uri GW/r',
      ],
      'access-control-allow-origin': [HOME, 'GW'],
      'reporting-endpoints': [`default="${HOME}/r?a=1"`, 'default="GW/r?a=1"'],
      'report-to': [`{"endpoints":[{"url":"${HOME}/r"}]}`, '{"endpoints":[{"url":"GW/r"}]}'],
      'hx-redirect': [`${HOME}/cart/`, 'GW/cart/'],
      sourcemap: [`${HOME}/a.js.map`, 'GW/a.js.map'],
      'x-other': [
        `https://${name}.evil.test/ my${name} ${name}x`,
        `https://${name}.evil.test/ my${name} ${name}x`,
      ],
      'set-cookie': [
        `back=${encodeURIComponent(`${HOME}/a`)}; Domain=${name}; Path=/`,
        `back=${encodeURIComponent('GW/a')}; Path=/`,
      ],
    };
    const { origin: url, received } = await runEchoSite((_, response) => {
      for (const [field, [sent]] of Object.entries(fields)) response.setHeader(field, sent);
      response.end('a');
      return true;
    });
    const running = await runGateway({ url, rewriteBodies: true, passthrough: true }, {});
    const toGateway = (text: string): string =>
      text.replaceAll('GW', running.origin).replaceAll('HOST', new URL(running.origin).host);
    const back = encodeURIComponent(`${running.origin}/a`);
    const response = await running.request('/a/', {
      headers: { cookie: `back=${back}`, 'hx-current-url': `${running.origin}/a` },
    });
    for (const [field, [, wanted]] of Object.entries(fields)) {
      const expected =
        field === 'set-cookie' ? wanted.replace(encodeURIComponent('GW/a'), back) : toGateway(wanted);
      expect([field, response.headers.get(field)]).toEqual([field, expected]);
    }
    expect(received.at(-1)?.headers).toMatchObject({
      cookie: `back=${encodeURIComponent(`${HOME}/a`)}`,
      'hx-current-url': `${HOME}/a`,
    });
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
      for (const path of ['/wp-admin/admin.php?page=wc-settings&tab=email', '/wp-json/core/v2/media']) {
        const form = new FormData();
        form.set('woocommerce_email_header_image', `${running.origin}/logo.png`);
        form.set('file', new Blob([`${running.origin}/p`]), 'a.txt');
        await (await running.request(path, { method: 'POST', body: form })).text();
        const { body: sent = '', headers } = received.at(-1) ?? {};
        expect(sent).toContain(`\r\n\r\n${HOME}/logo.png\r\n`);
        expect(sent).toContain(`\r\n\r\n${running.origin}/p\r\n`);
        expect(headers?.['content-length']).toBe(String(Buffer.byteLength(sent)));
      }
    },
  );

  /** A part of a form, in bytes. `GATE` and `SITE` are the addresses of both. */
  const part = (name: string, value: string, more = ''): string =>
    `--X\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
  const ALL_BYTES = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte));

  test.each<readonly [report: string, sentence: string, form: string, type?: string]>([
    [
      'villadora/express-http-proxy#112',
      'keeps each byte of its file',
      part('logo', '<GATE/logo.png>') +
        part('file', ALL_BYTES.repeat(12), '; filename="a.zip"\r\nContent-Type: application/zip'),
    ],
    [
      'danialfarid/ng-file-upload#1652',
      'keeps a field in another charset',
      part('name', '\x8elu\x9d <GATE/p>', '\r\nContent-Type: text/plain;charset=windows-1250') +
        part('file', 'GATE', '; filename="a.txt"'),
    ],
    [
      'rocklobster-in/contact-form-7#328',
      'keeps a file name that is not ASCII',
      part('file', 'a', utf8('; filename="Übersicht – 表.png"')) + part('logo', '<GATE/logo.png>'),
    ],
  ])(
    '%s: a form with a file %s',
    async (_report, _sentence, form, type = 'multipart/form-data; boundary=X') => {
      const received: { readonly body: string; readonly length: string | undefined }[] = [];
      const site = await runServer(async (incoming, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks).toString('latin1');
        if (incoming.method === 'POST') received.push({ body, length: incoming.headers['content-length'] });
        response.end('saved');
      });
      const running = await runGateway({ url: site.origin, rewriteBodies: true, ...PLAIN }, {});
      const sent = Buffer.from(`${form}--X--\r\n`.replaceAll('GATE', running.origin), 'latin1');
      const init = { method: 'POST', headers: { 'Content-Type': type }, body: sent };
      const response = await running.request('/wp-admin/admin.php?page=wc-settings', init);
      expect([response.status, await response.text()]).toEqual([200, 'saved']);
      // What is between angle brackets is text of a field, the rest are files.
      const expected = `${form}--X--\r\n`
        .replaceAll('<GATE', `<${site.origin}`)
        .replaceAll('GATE', running.origin);
      const [{ body = '', length = undefined } = {}] = received;
      expect(body === expected ? expected.length : body.slice(0, 2000)).toBe(expected.length);
      expect(length).toBe(String(expected.length));
    },
  );

  test.each<[string, string]>([
    ['a replacement', "$&$'"],
    ['an address', 'a/../b?c#d'],
    ['credentials', 'public.example.com@evil.example'],
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
    const runTagged = startOnce(async (cacheControl: string): Promise<RunningGateway> => {
      const site = await runEchoSite((request, response) => {
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
      const options = { url: site.origin, rewriteBodies: true, passthrough: true };
      return runGateway(options, { cache: 'memory' });
    });

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

    test.each<readonly [what: string, sent: Record<string, string>, status: number, body: string]>([
      ['a strong tag', { 'If-Range': '"x"' }, 206, 'im'],
      ['a weak tag (pallets/werkzeug#3163)', { 'If-Range': 'W/"x"' }, 200, 'imag'],
      ['a tag that contains it (web-infra-dev/rsbuild#7852)', { 'If-Range': '"xx"x"' }, 200, 'imag'],
      ['a list with the tag (web-infra-dev/rsbuild#7852)', { 'If-Range': '"y", "x"' }, 200, 'imag'],
      ['no tag, its Content-Range is kept (hammerlab/seltest#65)', {}, 206, 'im'],
      ['its tag made weak by a proxy (ggml-org/llama.cpp#23916)', { 'If-None-Match': 'W/"x"' }, 304, ''],
    ])('a range of an image for %s', async (_what, sent, status, body) => {
      for (const cacheControl of ['no-store', 'no-cache', 'max-age=60']) {
        const running = await runTagged(cacheControl);
        await (await running.request('/a.png')).text();
        const response = await running.request('/a.png', { headers: { Range: 'bytes=0-1', ...sent } });
        const { headers } = response;
        expect([response.status, await response.text()]).toEqual([status, body]);
        // A 304 does not say whether it is of a page: its tag is as strong as the client's.
        expect(headers.get('etag')).toMatch(status === 304 ? /^(?:W\/)?"x"$/ : /^"x"$/);
        expect(headers.get('content-range')).toBe(status === 206 ? 'bytes 0-1/4' : null);
      }
    });
  });
});

import { afterAll, describe, expect, test } from 'vitest';
import { Gateway } from '../../src/gateway/index.ts';
import { consoleOptions, type Send, STORED_SITE, signIn, TOKEN } from './support/console-client.ts';

const sites = [{ ...STORED_SITE, passthrough: true, cache: { pages: 60 } }];
const gateway = new Gateway(consoleOptions({ sites, hosts: ['gateway.example.com'], cache: 'memory' }));
afterAll(() => gateway.stop());
const send: Send = async (path, init) => gateway.app.request(`http://gateway.example.com${path}`, init);
const { get } = await signIn(send, TOKEN);

/** Explains an address. @returns the text of the section, with escaped markup */
async function explain(address: string): Promise<string> {
  const page = await get(`/-/console/sites/content/cache?${new URLSearchParams({ address })}`);
  expect(page.status).toBe(200);
  const html = await page.text();
  const [, section = ''] = /<section id="explain"(.*?)<section id="purge"/s.exec(html) ?? [];
  return section.slice(section.indexOf('</form>')).replace(/<[^>]*>/g, ' ');
}

describe('explains no address that no request can have', () => {
  test.each([
    ['http://user:secret@other.example.com/content/core/v2/posts', 'No site is served at this address'],
    ['http://[::1/content', 'Type a URL, or a path'],
    ['/-/\u{1f600}', 'The gateway itself serves this address'],
    ['http://gateway.example.com/-/sites', 'The gateway itself serves this address'],
  ])('%s', async (address, words) => {
    const text = await explain(address);
    expect(text).toContain(words);
    expect(text).not.toContain('secret');
  });
});

test('a value is shown as it was typed, and not as markup', async () => {
  const text = await explain('/content/wp-json/core/v2/posts?search=<b>bold</b>%26amp;<script>\u001b[31m');
  expect(text).toContain('search = &quot;&lt;b&gt;bold&lt;/b&gt;&amp;amp;&lt;script&gt;\\u001b[31m&quot;');
});

test('the lifetime of a page by `cache.pages` is shown', async () => {
  const text = (await explain('/content/hello/')).replace(/\s+/g, ' ');
  expect(text).toContain('By the rules of pages and files: fresh for 60 s if the response says nothing else');
});

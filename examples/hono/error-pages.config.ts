/**
 * People get pages of your own for errors, of the site and of the gateway, and while a file says that the site is maintained.
 * Programs get the response as it is.
 * Cost of a hit: each response passes through Hono.
 */
import { existsSync, watchFile } from 'node:fs';
import { html } from 'hono/html';
import { defineGateway } from 'waygate';

const { MAINTENANCE = 'maintenance', SITE_URL = 'https://www.example.com' } = process.env;
let isMaintained = existsSync(MAINTENANCE);
watchFile(MAINTENANCE, { interval: 500, persistent: false }, () => {
  isMaintained = existsSync(MAINTENANCE);
});

const TEXTS: Readonly<Record<number, string>> = {
  404: 'There is no such page.',
  429: 'Try again in a minute.',
  502: 'The site does not respond. Try again soon.',
  503: 'The site is busy. Try again soon.',
  504: 'The site does not respond. Try again soon.',
};
const createPage = (title: string, text: string) =>
  html`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  cache: { store: 'memory' },
  app(app) {
    app.use('*', async (c, next) => {
      const isPerson = c.req.header('accept')?.includes('text/html') === true;
      if (isMaintained && !c.req.path.startsWith('/-/')) {
        c.header('retry-after', '600');
        if (!isPerson) return c.json({ code: 'maintenance' }, 503);
        return c.html(createPage('Back soon', 'We are working on the site.'), 503);
      }
      await next();
      const { headers, status } = c.res;
      const text = TEXTS[status];
      if (!isPerson || text === undefined) return undefined;
      const page = new Response(String(createPage(`Error ${status}`, text)), { status, headers });
      page.headers.set('content-type', 'text/html; charset=utf-8');
      for (const name of ['content-encoding', 'content-length', 'etag']) page.headers.delete(name);
      c.res = undefined;
      c.res = page;
      return undefined;
    });
  },
});

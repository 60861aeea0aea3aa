/**
 * Lists of addresses for each route: the office and the VPN reach /wp-admin, and a scraper doesn't reach the interface.
 * Cost of a hit: each request passes through Hono and is resolved, and the lists are searched. For the whole gateway or a site, `access` in the settings costs less.
 */
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { ipRestriction } from 'hono/ip-restriction';
import { defineGateway, resolveRequest } from 'waygate';

const {
  OFFICE = '192.0.2.0/24',
  SCRAPER = '198.51.100.7',
  SITE_URL = 'https://www.example.com',
} = process.env;

/** But for the two that pages of visitors use. */
const GUARDED = /\/wp-admin(?!\/admin-(?:ajax|post)\.php$)(?![\w-])/;

/** The client's address. Proxies in front that you trust append it to X-Forwarded-For. */
function getAddress(c: Context): string {
  const { address = '' } = getConnInfo(c).remote;
  const isProxy = /^(?:::ffff:)?(?:127\.|10\.)/.test(address);
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  return isProxy && forwarded ? forwarded : address;
}

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  trust: ['127.0.0.0/8', '10.0.0.0/8'],
  cache: { store: 'memory' },
  app(app) {
    const forOffice = ipRestriction(getAddress, { allowList: [OFFICE] });
    const notForScraper = ipRestriction(getAddress, { denyList: [SCRAPER] });
    app.use('*', async (c, next) => {
      const { path, route } = await resolveRequest(c);
      if (GUARDED.test(path)) return forOffice(c, next);
      return route === null ? next() : notForScraper(c, next);
    });
  },
});

import { expect, test } from 'vitest';
import { startNodeGateway } from '../../../support/gateway.ts';
import { basicAuth, useWordPress, type WordPressInfo } from '../../../support/wordpress.ts';
import { Matrix } from './matrix.ts';
import { CONTENT, WRITES } from './writes.ts';

/** Pages, feeds, sitemaps and routes of a site after each kind of write, with the default settings. */

const split = (list: string): readonly string[] => list.trim().split(/\s+/);
const READS = [
  ...split(`
    / /?s=post /feed/ /comments/feed/ /category/news/ /author/editor/ /about/
    /2024/01/post-1/ /2024/01/post-21/ /2024/01/post-24/
    /2024/01/latestposts/ /2024/01/latestcomments/ /2024/01/termblocks/ /2024/01/queryblock/
    /wp-sitemap-users-1.xml`).map((path) => `page:${path}`),
  ...split('posts posts/12 posts/19 comments?post=3 categories users pages media').map(
    (route) => `/wp/v2/${route}`,
  ),
];
/** What shows the comment of a visitor, which purges its own post, after the lifetime of a response. */
const AFTER_LIFETIME = split('page:/feed/ page:/comments/feed/ page:/2024/01/latestcomments/');

const site = useWordPress({
  title: 'Waygate pages',
  // Its pages take PHP less than half of the time that those of blocks take.
  theme: 'twentytwentyone',
  muPlugins: new URL('mu-plugins', import.meta.url).pathname,
});

/** Logs in through the gateway, and returns the cookies. */
async function logIn(
  request: (path: string, init: RequestInit) => Promise<Response>,
  { loginPassword, user }: WordPressInfo['users']['administrator'],
): Promise<string> {
  const response = await request('/wp-login.php', {
    method: 'POST',
    headers: { cookie: 'wordpress_test_cookie=1' },
    body: new URLSearchParams({ log: user, pwd: loginPassword, testcookie: '1' }),
  });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

test('after each write no address of the site is stale, and each changes some', async () => {
  const running = await startNodeGateway({
    sites: [{ url: site().url, passthrough: true, cache: { pages: 60 } }],
    cache: 'memory',
  });
  try {
    const { administrator } = site().users;
    const authorization = basicAuth(administrator);
    const themes = `${site().url}wp-json/wp/v2/themes?status=active`;
    const [active] = await (await fetch(themes, { headers: { authorization } })).json();
    const matrix = new Matrix({
      running,
      siteUrl: site().url,
      reads: READS,
      authorization,
      session: await logIn(running.request, administrator),
      ids: new Map([
        ['siteurl', site().url.slice(0, -1)],
        ['theme', active.stylesheet],
        ['login', administrator.user],
        ['password', administrator.password],
      ]),
    });
    for (const write of CONTENT) await matrix.prepare(write);
    // Reads that are never stored would prove nothing.
    expect(await matrix.warm()).toEqual([]);
    const [outdated, ineffective]: [string[], string[]] = [[], []];
    for (const write of WRITES) {
      const { hasEffect, stale } = await matrix.write(write);
      const later = write.name === 'comment form, a visitor' ? AFTER_LIFETIME : [];
      outdated.push(...stale.filter((read) => !later.includes(read)).map((read) => `${write.name}: ${read}`));
      if (!hasEffect) ineffective.push(write.name);
    }
    expect([outdated, ineffective], matrix.examples.join('\n')).toEqual([[], []]);
  } finally {
    await running.stop();
  }
}, 900_000);

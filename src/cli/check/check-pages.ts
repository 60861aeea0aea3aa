import { Gateway, type GatewayOptions, type SiteOptions } from '../../gateway/index.ts';
import { explainCacheDetail, findRemedy, readCacheDetail } from '../../pages/ui/cache-words.ts';
import type { ReportProblem } from './problems.ts';

/** What Chrome sends with a navigation. */
const CHROME = {
  accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
  priority: 'u=0, i',
  'sec-ch-ua': '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
  'upgrade-insecure-requests': '1',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const PAGES = 3;
/** Loads of a page. The response to the first request for an address is only its client's. */
const LOADS = 3;
const MAX_SCRIPTS = 8;
const MAX_COOKIES = 20;
const MAX_TEXT = 256 * 1024;

/**
 * Loads three pages as Chrome would, by a gateway in this process, and reports why a later load would be no
 * hit, and what the site states to caches.
 */
export async function checkPages(
  { hosts: _hosts, name: _name, rediscover: _interval, ...site }: SiteOptions,
  options: GatewayOptions,
  setting: string,
  report: ReportProblem,
): Promise<void> {
  if (site.passthrough !== true || typeof site.cache !== 'object' || !site.cache.pages) return;
  const gateway = new Gateway({
    ...options,
    sites: [site],
    hosts: [],
    cache: 'memory',
    admin: { token: TOKEN },
  });
  const urls = [site.publicUrl ?? options.publicUrl ?? site.url, site.url];
  const visit = new Visit(
    gateway,
    urls.map((url) => new URL(url).origin),
  );
  try {
    await gateway.rediscover();
    const first = await visit.load('/');
    for (const path of ['/', ...visit.listLinks(first)].slice(0, PAGES)) {
      const { states, status } = await visit.settle(path);
      const detail = readCacheDetail(status);
      const [, ttl] = /; hit; ttl=(-?\d+)/.exec(status) ?? [];
      const place = `${setting}.cache.pages: ${path}`;
      if (ttl === undefined)
        report('warning', `${place} is no hit when Chrome loads it again: ${await visit.describe(detail)}`);
      else if (states !== '') report('notice', `${place} states ${states}, and is stored for ${ttl} s`);
    }
    for (const [cookie, value] of await visit.listScriptCookies(first))
      if (await visit.isBypassedWith(cookie, value))
        report(
          'warning',
          `${setting}.cache.pages: a script of / can set the cookie ${cookie}, with which no page is a hit: ${findRemedy('cookie')}`,
        );
  } finally {
    await gateway.stop();
  }
}

/** Of the gateway in this process, which nobody else reaches. */
const TOKEN = 'token-of-check';

/** A browser's visit, without running scripts. */
class Visit {
  readonly #gateway: Gateway;
  /** Of the public URL, and of the site's own. */
  readonly #origins: readonly string[];
  readonly #cookies = new Map<string, string>();

  constructor(gateway: Gateway, origins: readonly string[]) {
    this.#gateway = gateway;
    this.#origins = origins;
  }

  async #fetch(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    return this.#gateway.fetch(new Request(new URL(path, this.#origins[0]), { headers }));
  }

  async load(
    path: string,
  ): Promise<{ readonly status: string; readonly states: string; readonly text: string }> {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#fetch(path, { ...CHROME, ...(cookie === '' ? {} : { cookie }) });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value = ''] = /^([^=;]{1,256})=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && this.#cookies.size < MAX_COOKIES)
        this.#cookies.set(name.trim(), value.trim());
    }
    const states = STATING_FIELDS.flatMap((field) => {
      const value = response.headers.get(field);
      return value === null ? [] : [`${field}: ${value}`];
    });
    const text = (await response.text()).slice(0, MAX_TEXT);
    return { status: response.headers.get('cache-status') ?? '', states: states.join(', '), text };
  }

  /** @returns the last of several loads */
  async settle(path: string): ReturnType<Visit['load']> {
    let loaded = await this.load(path);
    for (let loads = 1; loads < LOADS; loads += 1) loaded = await this.load(path);
    return loaded;
  }

  /** @param value empty if the script computes it */
  async isBypassedWith(cookie: string, value: string): Promise<boolean> {
    for (const sent of value === '' ? COMPUTED_VALUES : [value]) {
      const response = await this.#fetch('/', { ...CHROME, cookie: `${cookie}=${sent}` });
      await response.body?.cancel();
      if (readCacheDetail(response.headers.get('cache-status') ?? '') !== 'cookie') return false;
    }
    return true;
  }

  /** Lists further pages of the site that a page links to. */
  listLinks({ text }: { readonly text: string }): readonly string[] {
    const paths = new Set<string>();
    for (const [, href = ''] of text.matchAll(/<a\b[^>]{0,300}?\bhref=["']([^"']{1,2000})["']/gi)) {
      const path = this.#toPath(href);
      if (path !== null && path !== '/' && !/[?.]|\/(?:wp-|cart|checkout|my-account)/.test(path))
        paths.add(path);
      if (paths.size >= PAGES) break;
    }
    return [...paths];
  }

  /** Lists the cookies that scripts of a page name where they set one. */
  async listScriptCookies({ text }: { readonly text: string }): Promise<ReadonlyMap<string, string>> {
    const cookies = new Map<string, string>();
    const add = (script: string): void => {
      for (const [, name = '', value = ''] of script.matchAll(SETS_COOKIE))
        if (cookies.size < MAX_COOKIES) cookies.set(name, value);
    };
    add(text);
    const paths = Array.from(
      text.matchAll(/<script\b[^>]{0,300}?\bsrc=["']([^"']{1,2000})["']/gi),
      ([, src = '']) => this.#toPath(src),
    );
    for (const path of paths.filter((each) => each !== null).slice(0, MAX_SCRIPTS))
      add((await (await this.#fetch(path, {})).text()).slice(0, MAX_TEXT));
    return cookies;
  }

  /** Explains why a page is no hit. The metrics know names that clients are not told. */
  async describe(detail: string): Promise<string> {
    const metrics = await this.#fetch('/-/metrics', { authorization: `Bearer ${TOKEN}` });
    const reason = detail.split(', ').at(-1) ?? '';
    const names = (await metrics.text())
      .split('\n')
      .flatMap((line) =>
        line.includes(`reason="${reason}"`) ? (/name="([^"]+)"/.exec(line)?.[1] ?? []) : [],
      );
    const named = names.length === 0 ? detail : `${detail} (${names.slice(0, 5).join(', ')})`;
    const remedy = findRemedy(reason);
    return `${named}: ${explainCacheDetail(detail)}${remedy === '' ? '' : `. What helps: ${remedy}`}`;
  }

  /** @returns the path and query of a URL of the site, `null` of another */
  #toPath(href: string): string | null {
    const resolved = href.replaceAll('&amp;', '&');
    if (!URL.canParse(resolved, this.#origins[0])) return null;
    const { origin, pathname, search } = new URL(resolved, this.#origins[0]);
    return this.#origins.includes(origin) ? pathname + search : null;
  }
}

const STATING_FIELDS = ['cache-control', 'cdn-cache-control', 'expires'];
/** Values of cookies for a language, a currency or an answer. */
const COMPUTED_VALUES = ['1', 'en', 'EUR', 'true', 'yes'];
/** `document.cookie = "name=…"`, and functions of js-cookie and many themes. */
const SETS_COOKIE =
  /(?:document\.cookie\s{0,8}=\s{0,8}["'`](?=[\w.-]{1,60}=)|(?:cookies?\.set|set_?cookie|create_?cookie)\(\s{0,8}["'`])([\w.-]{1,60})(?:(?:=|["'`]\s{0,8},\s{0,8}["'`])([\w.-]{0,60}))?/gi;

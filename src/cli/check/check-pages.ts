import { explainCacheDetail, findRemedy, readCacheDetail } from '../../base/http/cache-words.ts';
import type { Gateway, GatewayOptions, SiteOptions } from '../../gateway/index.ts';
import { openGateway } from '../../open-gateway.ts';
import type { ReportProblem } from './problems.ts';

const CHROME = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
  'sec-ch-ua': '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'upgrade-insecure-requests': '1',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const PAGES = 3;
const MAX_COOKIES = 20;
const MAX_TEXT = 256 * 1024;

const LINK = /<a\b[^>]{0,300}?\bhref=["']([^"']{1,2000})["']/gi;
const STATING_FIELDS = ['cache-control', 'cdn-cache-control', 'expires'];

/** Loads pages three times, as Chrome does, with all cookies. Reports why the last load was no hit. */
export async function checkPages(
  { hosts: _hosts, name: _name, rediscover: _interval, ...site }: SiteOptions,
  options: GatewayOptions,
  setting: string,
  report: ReportProblem,
): Promise<void> {
  if (site.passthrough !== true || typeof site.cache !== 'object' || !site.cache.pages) return;
  const gateway = openGateway({ ...options, sites: [site], hosts: [], cache: 'memory' });
  const [base = '', ...others] = [site.publicUrl ?? options.publicUrl ?? site.url, site.url];
  const origins = [base, ...others].map((url) => new URL(url).origin);
  const cookies = new Map<string, string>();

  const load = async (path: string): Promise<{ readonly fields: Headers; readonly text: string }> => {
    const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ');
    const headers = { ...CHROME, ...(cookie !== '' && { cookie }) };
    const response = await gateway.fetch(new Request(new URL(path, base), { headers }));
    for (const line of response.headers.getSetCookie()) {
      const [, name, value = ''] = /^([^=;]{1,256})=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && cookies.size < MAX_COOKIES) cookies.set(name.trim(), value.trim());
    }
    return { fields: response.headers, text: (await response.text()).slice(0, MAX_TEXT) };
  };

  try {
    await gateway.rediscover();
    const { text } = await load('/');
    const links = Array.from(text.matchAll(LINK), ([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => URL.canParse(href, base))
      .map((href) => new URL(href, base))
      .filter(({ origin }) => origins.includes(origin))
      .map(({ pathname, search }) => pathname + search)
      .filter((path) => path !== '/' && !/[?.]|\/(?:wp-|cart|checkout|my-account)/.test(path));
    for (const path of new Set(['/', ...links].slice(0, PAGES))) {
      // The first response is its client's, the second is stored, the third can be a hit.
      await load(path);
      await load(path);
      const { fields } = await load(path);
      const [, ttl] = /; hit; ttl=(-?\d+)/.exec(fields.get('cache-status') ?? '') ?? [];
      const states = STATING_FIELDS.flatMap((field) =>
        fields.has(field) ? [`${field}: ${fields.get(field)}`] : [],
      );
      const place = `${setting}.cache.pages: ${path}`;
      if (ttl === undefined)
        report('warning', `${place} is no hit when Chrome loads it again: ${describe(gateway)}`);
      else if (states.length > 0)
        report('notice', `${place} states ${states.join(', ')}, and is stored for ${ttl} s`);
    }
  } finally {
    await gateway.stop();
  }
}

/** Names cookies and nonces, which `Cache-Status` does not. */
function describe({ context }: Gateway): string {
  const [site] = context.sites.values();
  const detail = readCacheDetail(site?.recorder.requests.list()[0]?.cacheStatus ?? {});
  const reason = detail.split(', ').at(-1) ?? '';
  const nonces = reason === 'nonce in body' ? [...(site?.caching?.exclusions.nonces.values() ?? [])] : [];
  const named = nonces.length === 0 ? detail : `${detail} (${nonces.slice(0, 5).join(', ')})`;
  const remedy = findRemedy(reason);
  return `${named}: ${explainCacheDetail(detail)}${remedy === '' ? '' : `. What helps: ${remedy}`}`;
}

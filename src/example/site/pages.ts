import { decodeByteString, rawUrlDecode } from '../../php/encoding.ts';
import { restUrl, rootLinkHeader } from '../../rest-server/responses.ts';
import type { SiteDefinition, SitePage, SitePageRequest } from './definition.ts';

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
}

/** Creates an HTML page. `title` is HTML without tags. */
export function htmlPage(title: string, main: string, others: Omit<SitePage, 'body'> = {}): SitePage {
  const body = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  return { body, ...others };
}

/** Finds what a URL outside the REST API shows: a page or file of the site, a built-in page, or the page of a 404. */
export function findPage<State>(
  definition: SiteDefinition<State>,
  url: URL,
  { base, ...request }: Pick<SitePageRequest<State>, 'state' | 'now' | 'headers'> & { readonly base: string },
): SitePage {
  const pageRequest: SitePageRequest<State> = {
    ...request,
    path: decodeByteString(rawUrlDecode(url.pathname)),
    query: url.searchParams,
    address: (path) => base + path,
    link: (route, query) => restUrl(base, route, query),
  };
  const page = definition.findPage?.(pageRequest) ?? findBuiltInPage(definition, pageRequest);
  if (typeof page.body !== 'string' || definition.findOembedPage(pageRequest.state, url) === null)
    return page;
  // wp_oembed_add_discovery_links
  const links = ['json', 'xml'].map((format) => {
    const data = pageRequest.link('/oembed/1.0/embed', { url: url.href, format });
    const type = format === 'json' ? 'application/json+oembed' : 'text/xml+oembed';
    return `<link rel="alternate" type="${type}" href="${escapeHtml(data)}">\n`;
  });
  return { ...page, body: page.body.replace('</head>', () => `${links.join('')}</head>`) };
}

export function writePage(page: SitePage, base: string): Response {
  const { status = 200, type = 'text/html; charset=UTF-8', body, headers = {} } = page;
  // Every page of a site links to its REST API (rest_output_link_wp_head, rest_output_link_header).
  const link = `<link rel="https://api.w.org/" href="${escapeHtml(restUrl(base, '/'))}">\n</head>`;
  return new Response(typeof body === 'string' ? body.replace('</head>', () => link) : body.slice().buffer, {
    status,
    headers: { 'Content-Type': type, Link: rootLinkHeader(base), ...headers },
  });
}

/** Finds a page that every site has, or the 404 page. */
function findBuiltInPage<State>(
  { name, description, listPages }: SiteDefinition<State>,
  { path, state, address, link }: SitePageRequest<State>,
): SitePage {
  if (path === '/' || path === '/index.php') {
    const index = escapeHtml(link('/'));
    const pages = (listPages?.(state) ?? []).map(
      (page) => `<li><a href="${escapeHtml(address(page.path))}">${page.title}</a></li>`,
    );
    const main = `<h1>${escapeHtml(name)}</h1>
<p>${escapeHtml(description)}</p>
<ul>
${pages.join('\n')}
</ul>
<p>Its interface: <a href="${index}">${index}</a></p>`;
    return htmlPage(escapeHtml(name), main);
  }
  return htmlPage('Page not found', '<h1>Page not found</h1>', { status: 404 });
}

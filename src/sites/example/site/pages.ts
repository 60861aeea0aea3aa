import type { Json } from '../../../base/json.ts';
import { decodeByteString, rawUrlDecode } from '../../../base/php/request.ts';
import type { RequestValues } from '../../rest-server/declarations.ts';
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

/** `title` is HTML without tags. */
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

export function servePage<State>(
  definition: SiteDefinition<State>,
  url: URL,
  {
    base,
    form,
    ...request
  }: Pick<SitePageRequest<State>, 'state' | 'now' | 'headers'> & {
    readonly base: string;
    readonly form?: RequestValues | undefined;
  },
): Response {
  const pageRequest: SitePageRequest<State> = {
    ...request,
    path: decodeByteString(rawUrlDecode(url.pathname)),
    query: url.searchParams,
    address: (path) => base + path,
    link: (route, query) => restUrl(base, route, query),
  };
  const page =
    url.pathname === AUTHORIZATION_PATH
      ? authorizationPage(definition, pageRequest, form?.get('login'))
      : (definition.findPage?.(pageRequest) ?? findBuiltInPage(definition, pageRequest));
  const { status = 200, type = 'text/html; charset=UTF-8', body, headers = {} } = page;
  // `rest_output_link_wp_head()`, `rest_output_link_header()`
  const link = `<link rel="https://api.w.org/" href="${escapeHtml(restUrl(base, '/'))}">\n`;
  const content =
    typeof body === 'string' ? body.replace('</head>', () => `${link}</head>`) : body.slice().buffer;
  return new Response(content, {
    status,
    headers: { 'Content-Type': type, Link: rootLinkHeader(base), ...headers },
  });
}

const AUTHORIZATION_PATH = '/wp-admin/authorize-application.php';

/** Shows the demo users' public passwords; redirects to `success_url` with the chosen one. */
function authorizationPage<State>(
  { name, users }: SiteDefinition<State>,
  { query, address }: SitePageRequest<State>,
  login: Json | undefined,
): SitePage {
  const user = users.find((each) => each.login === login);
  const success = query.get('success_url') ?? '';
  // `wp_is_authorize_application_redirect_url_valid()`
  const isTrusted = /^(?:https:|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])/.test(success);
  if (user !== undefined && isTrusted && URL.canParse(success)) {
    const target = new URL(success);
    const granted = { site_url: address(''), user_login: user.login, password: user.password };
    for (const [member, value] of Object.entries(granted)) target.searchParams.set(member, value);
    return { status: 302, body: '', headers: { Location: target.href, 'Cache-Control': 'no-store' } };
  }
  const rows = users.map(
    (each) =>
      `<li><button name="login" value="${each.login}">${each.login}</button> <code>${each.password}</code></li>`,
  );
  const title = `Authorize application: ${escapeHtml(name)}`;
  return htmlPage(title, `<h1>${title}</h1>\n<form method="post">\n<ul>\n${rows.join('\n')}\n</ul>\n</form>`);
}

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

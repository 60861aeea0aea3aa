import type { Json, JsonObject } from '../../../base/json.ts';
import { toPhpInteger } from '../../../base/php/values.ts';
import { toPhpNumber } from '../../../generator/validation/wordpress/schema.ts';
import type { NamespaceDeclaration, SiteRequest, SiteResponse } from '../../rest-server/declarations.ts';
import {
  ok,
  RefusedError,
  refuse,
  requireRole,
  respondWith,
  toErrorBody,
} from '../../rest-server/responses.ts';
import type { OembedPage, SiteDefinition } from './definition.ts';
import args from './oembed.json' with { type: 'json' };
import { escapeHtml } from './pages.ts';

export function oembedNamespace<State>(definition: SiteDefinition<State>): NamespaceDeclaration<State> {
  return {
    namespace: 'oembed/1.0',
    routes: [
      {
        route: '/embed',
        endpoints: [
          {
            methods: ['GET'],
            args: args.embed,
            sanitize: { format: (format) => (format === 'xml' ? 'xml' : 'json'), maxwidth: absint },
            handle: (request) => embedResponse(definition, request),
          },
        ],
      },
      {
        route: '/proxy',
        endpoints: [
          {
            methods: ['GET'],
            args: args.proxy,
            sanitize: { maxwidth: absint, maxheight: absint },
            permission: requireRole('editor', 'rest_forbidden', FORBIDDEN),
            handle: (request) => ok(findOembedData(definition, request)),
          },
        ],
      },
    ],
  };
}

const FORBIDDEN = 'Sorry, you are not allowed to make proxied oEmbed requests.';

/** `absint()` */
function absint(value: Json): Json {
  return Math.abs(toPhpInteger(toPhpNumber(value) ?? 0));
}

function findOembedData<State>(definition: SiteDefinition<State>, request: SiteRequest<State>): JsonObject {
  const url = toSiteUrl(request);
  const page = url === null ? null : definition.findOembedPage(request.state, url);
  if (page === null || url === null) return refuse(404, 'oembed_invalid_url', 'Not Found');
  return toOembedData(definition, page, url, request);
}

/** Returns a URL of the site; `null` if it is foreign. Behind a gateway, clients send the gateway's URLs. */
function toSiteUrl<State>({ params, headers, address }: SiteRequest<State>): URL | null {
  const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);
  const url = parseUrl(params.string('url', ''));
  if (url === null || url.origin === new URL(address('/')).origin) return url;
  const publicOrigin = parseUrl(`${headers.get('x-forwarded-proto')}://${headers.get('x-forwarded-host')}`);
  const prefix = headers.get('x-forwarded-prefix') ?? '';
  if (url.origin !== publicOrigin?.origin || !url.pathname.startsWith(`${prefix}/`)) return null;
  return parseUrl(address(url.pathname.slice(prefix.length) + url.search));
}

const MIN_LENGTH = 200;
const MAX_WIDTH = 600;

/** `get_oembed_response_data()` */
function toOembedData<State>(
  { name }: SiteDefinition<State>,
  { title, authorName, authorUrl }: OembedPage,
  url: URL,
  request: SiteRequest<State>,
): JsonObject {
  const width = Math.min(Math.max(MIN_LENGTH, request.params.integer('maxwidth', MAX_WIDTH)), MAX_WIDTH);
  const height = Math.max(Math.ceil((width / 16) * 9), MIN_LENGTH);
  const frame = new URL(url);
  frame.searchParams.set('embed', 'true');
  return {
    version: '1.0',
    provider_name: name,
    provider_url: request.address(''),
    author_name: authorName,
    author_url: authorUrl,
    title,
    type: 'rich',
    width,
    height,
    html:
      `<blockquote class="embedded-content"><a href="${escapeHtml(url.href)}">${escapeHtml(title)}</a></blockquote>` +
      `<iframe sandbox="allow-scripts" security="restricted" src="${escapeHtml(frame.href)}" width="${width}" ` +
      `height="${height}" title="${escapeHtml(title)}" frameborder="0" scrolling="no"></iframe>`,
  };
}

/** `_oembed_rest_pre_serve_request()`. */
function embedResponse<State>(definition: SiteDefinition<State>, request: SiteRequest<State>): SiteResponse {
  if (request.params.get('format') !== 'xml') return ok(findOembedData(definition, request));
  try {
    return xmlResponse(200, findOembedData(definition, request));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return xmlResponse(error.error.status, toErrorBody(error.error));
  }
}

function xmlResponse(status: number, body: JsonObject): SiteResponse {
  const xml = `<?xml version="1.0"?>\n<oembed>${toXml(body)}</oembed>\n`;
  const raw = { type: 'text/xml; charset=UTF-8', bytes: new TextEncoder().encode(xml) };
  return { ...respondWith(status, body), raw };
}

function toXml(members: JsonObject): string {
  return Object.entries(members)
    .map(([name, value]) => {
      const inner =
        typeof value === 'object' && value !== null
          ? toXml(Object.fromEntries(Object.entries<Json>(value)))
          : escapeHtml(String(value));
      return `<${name}>${inner}</${name}>`;
    })
    .join('');
}

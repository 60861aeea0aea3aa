import type { Json } from '../../json.ts';
import type { Incoming } from './incoming.ts';
import { rootLink } from './links.ts';
import type { Outcome } from './outcome.ts';

/** What every answer of the interface carries (WP_REST_Server::serve_request). */
const ALWAYS = {
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
} as const;

/** `wp_get_nocache_headers()`, for those who are logged in. */
const NO_CACHE = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
} as const;

const SCRIPT = 'application/javascript';

export interface Written {
  readonly incoming: Incoming;
  /** The method as the web server saw it. */
  readonly sent: string;
  /** Whether a header changed the method. */
  readonly overridden: boolean;
  /** The name of a function to call with the answer. */
  readonly jsonp: string | undefined;
}

/** Refused before anything of the interface was looked at, so without what tells of origins (wp_check_jsonp_callback). */
export function refuseCallback(base: string): Response {
  const body = { code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' };
  const headers = { 'Content-Type': `${SCRIPT}; charset=UTF-8`, Link: rootLink(base), ...ALWAYS };
  return new Response(JSON.stringify(body), { status: 400, headers });
}

export function writeResponse({ status, headers: own, body, raw }: Outcome, written: Written): Response {
  const { incoming, sent, overridden, jsonp } = written;
  const headers = new Headers({
    'Content-Type': `${jsonp === undefined ? 'application/json' : SCRIPT}; charset=UTF-8`,
    Link: rootLink(incoming.base),
    ...ALWAYS,
  });
  cors(headers, incoming, sent);
  // A header of the answer replaces one of the same name: a collection's links stand instead of the root's.
  for (const [name, value] of own) headers.set(name, headerValue(value));
  if (incoming.user !== null || (overridden && status >= 400 && status < 500)) {
    for (const [name, value] of Object.entries(NO_CACHE)) headers.set(name, value);
  }
  if (raw !== undefined) headers.set('Content-Type', raw.type);
  const silent =
    incoming.method === 'HEAD' || sent === 'HEAD' || status === 204 || (body === null && raw === undefined);
  if (silent) return new Response(null, { status, headers });
  const text = raw?.bytes ?? jsonText(body, jsonp);
  return new Response(typeof text === 'string' ? text : text.slice().buffer, { status, headers });
}

/** `rest_send_cors_headers()` */
function cors(headers: Headers, { headers: asked, user }: Incoming, sent: string): void {
  const origin = asked.get('origin');
  if (origin !== null && origin !== '') {
    headers.set('Access-Control-Allow-Origin', headerValue(origin));
    headers.set('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
    headers.set('Access-Control-Allow-Credentials', 'true');
    headers.set('Vary', 'Origin');
  } else if (sent === 'GET' && user === null) headers.set('Vary', 'Origin');
}

function jsonText(body: Json, jsonp: string | undefined): string {
  const text = JSON.stringify(body);
  return jsonp === undefined ? text : `/**/${jsonp}(${text})`;
}

/** Headers are bytes, in one line: other characters go as escapes. */
function headerValue(value: string): string {
  return value.replace(/\s+/g, ' ').replace(/[^\t\x20-\x7e]/g, '');
}

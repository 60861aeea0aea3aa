import { parseMediaType } from '../http/media-type.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Answer } from './client.ts';
import { extractJson, type Tolerated } from './json-text.ts';
import { whyNotAnIndex } from './read-index.ts';
import type { Reason, Refusal } from './reasons.ts';
import { decodeText } from './text.ts';
import { quoted } from './values.ts';

/** What an answer is, where an index was asked for. */
export type Judgement =
  | { readonly kind: 'index'; readonly value: JsonObject; readonly tolerated: readonly Tolerated[] }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** An answer as it is looked at: its text once, whatever is asked of it. */
interface Read {
  readonly status: number;
  readonly headers: Headers;
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly isHtml: boolean;
  readonly json: ReturnType<typeof extractJson>;
}

/** Judges an answer. A root index counts whatever its status and its media type: sites get both wrong. */
export function judge(answer: Answer): Judgement {
  const decoded = decodeText(answer.bytes, parseMediaType(answer.headers.get('content-type')).charset);
  const json = extractJson(decoded.text);
  if (
    json.ok &&
    isJsonObject(json.value) &&
    whyNotAnIndex(json.value) === undefined &&
    !isNamespaceIndex(json.value)
  ) {
    return { kind: 'index', value: json.value, tolerated: [...decoded.tolerated, ...json.tolerated] };
  }
  const { text } = decoded;
  const read: Read = {
    status: answer.status,
    headers: answer.headers,
    path: answer.url.pathname,
    text,
    json,
    isHtml: !json.ok && /^\s*(?:<!doctype html|<html|<head|<body|<!--)/i.test(text.slice(0, 2_000)),
    title: /<title[^<>]{0,200}>([^<]{0,300})/i.exec(text.slice(0, 100_000))?.[1]?.trim() ?? '',
  };
  const { reason, came } = KINDS.find(({ when }) => when(read)) ?? LAST_KIND;
  const code = siteError(read)?.code;
  const refusal = { reason, url: answer.url.href, came: came(read), ...(code === undefined ? {} : { code }) };
  return { kind: 'refusal', refusal };
}

/** `/wp-json/wp/v2`: it has routes, but only those of one namespace. */
function isNamespaceIndex(value: JsonObject): boolean {
  return Object.hasOwn(value, 'namespace') && !Object.hasOwn(value, 'namespaces');
}

interface Kind {
  readonly when: (read: Read) => boolean;
  readonly reason: Reason;
  readonly came: (read: Read) => string;
}

const page = ({ status, title }: Read): string =>
  `answered ${status} with an HTML page${title === '' ? '' : `, ${quoted(title)}`}`;
const kind = (reason: Reason, when: Kind['when'], came: Kind['came'] = answered): Kind => ({
  reason,
  when,
  came,
});

/** The kinds of answers that are no index, the more telling first. */
const KINDS: readonly Kind[] = [
  kind('bot-challenge', isChallenge, (read) => `${page(read)}: a check for people`),
  kind('unauthorized', ({ status }) => status === 401),
  kind('forbidden', ({ status }) => status === 403),
  kind('too-many-requests', ({ status }) => status === 429),
  kind('maintenance', isMaintenance, (read) => `${page(read)}: it is being maintained`),
  kind('no-route', (read) => siteError(read)?.code === 'rest_no_route'),
  kind('site-error', (read) => siteError(read) !== undefined),
  kind('not-found', ({ status }) => status === 404 || status === 410),
  kind(
    'php-error',
    isPhpError,
    ({ status, text }) =>
      `answered ${status} with a fatal error of PHP: ${quoted(fatalError(text) ?? '', '"', 200)}`,
  ),
  kind('server-error', ({ status }) => status >= 500),
  kind('login-page', isLogin, (read) => `${page(read)}: a login`),
  kind('client-error', ({ status }) => status >= 400),
  kind(
    'html',
    ({ isHtml }) => isHtml,
    (read) => `${page(read)} instead of JSON`,
  ),
  kind(
    'not-an-index',
    ({ json }) => json.ok,
    ({ status, json }) => {
      if (!json.ok) return '';
      const namespace =
        isJsonObject(json.value) && isNamespaceIndex(json.value) ? 'It is the index of one namespace.' : '';
      return `answered ${status} with JSON that is no root index. ${whyNotAnIndex(json.value) ?? namespace}`.trim();
    },
  ),
  ...(['empty', 'truncated', 'too-deep'] as const).map((reason) =>
    kind(reason, ({ json }) => !json.ok && json.reason === reason, notJson),
  ),
];

const LAST_KIND: Kind = kind('not-json', () => true, notJson);

function notJson({ status, json }: Read): string {
  return `answered ${status} with no JSON that could be read. ${json.ok ? '' : json.detail}`.trim();
}

/** A status, and what the site says about it where WordPress speaks for it. */
function answered(read: Read): string {
  const error = siteError(read);
  if (error !== undefined)
    return `answered ${read.status}: ${error.code}, ${quoted(error.message, '"', 200)}`;
  return read.isHtml && read.title !== '' ? page(read) : `answered ${read.status}`;
}

/** WordPress's error body: `{"code","message","data"}`. */
function siteError({ json }: Read): { readonly code: string; readonly message: string } | undefined {
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { value } = json;
  if (!Object.hasOwn(value, 'code') || !Object.hasOwn(value, 'message')) return undefined;
  const { code, message } = value;
  return typeof message === 'string' ? { code: quoted(String(code), ''), message } : undefined;
}

const START = 200_000;

function isChallenge({ headers, title }: Read): boolean {
  return headers.get('cf-mitigated') === 'challenge' || /^(?:just a moment|attention required)/i.test(title);
}

function isMaintenance({ text, title, isHtml, status, json }: Read): boolean {
  if (json.ok || (status < 500 && !isHtml)) return false;
  const words =
    /scheduled maintenance|maintenance mode|under maintenance|down for maintenance|wartung|coming soon/i;
  return (
    words.test(title) || words.test(text.slice(0, 20_000)) || (status === 503 && /maintenance/i.test(title))
  );
}

/** The form of wp-login.php, or of anything else that asks for a password in place of the interface. */
function isLogin({ path, isHtml, text }: Read): boolean {
  if (!isHtml) return false;
  return /\/wp-login\.php$/.test(path) || /\btype\s{0,9}=\s{0,9}["']?password/i.test(text.slice(0, START));
}

function isPhpError({ text, json }: Read): boolean {
  return !json.ok && fatalError(text) !== undefined;
}

/** PHP's own words, and those of WordPress's fatal error handler. */
function fatalError(text: string): string | undefined {
  const words = text.slice(0, START).replace(/<[^<>]{0,200}>/g, '');
  const found =
    /(?:Fatal error|Parse error|Uncaught \w{1,60}): [^\n]{0,300}|There has been a critical error on this website/.exec(
      words,
    );
  return found?.[0];
}

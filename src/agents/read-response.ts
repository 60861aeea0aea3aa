import { decodeBasicPair } from '../base/http/basic-credentials.ts';
import { readLimitedBody } from '../base/http/body.ts';
import {
  changeMembers,
  isJsonObject,
  isSameData,
  isShallow,
  type Json,
  type JsonObject,
  jsonMembers,
  memberAt,
  parseJson,
} from '../base/json.ts';
import { shorten } from '../base/text.ts';
import { adviseOn } from '../generator/reference/error-advice.ts';
import type { AgentSite, ToolResult } from './agent-site.ts';
import { cleanText, removeInvisible, toLine } from './site-text.ts';

/** Estimated tokens of a response: up to 4,000 if it has mostly numbers and signs. */
const MAX_TOKENS = 3_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_DEPTH = 100;

export interface Reading {
  readonly fields: readonly string[];
  /** Characters of the text, or items of the list, that the agent already has. */
  readonly from: number;
  /** Keeps texts as stored, to be written back. */
  readonly isRaw: boolean;
  readonly query: JsonObject;
  /** Members that the answer of a write has, if the site returns an item. */
  readonly head?: readonly string[];
  readonly isWriting: boolean;
}

/** A response as the agent sees it, and as the site has sent it. */
export interface ReadResponse {
  readonly result: ToolResult;
  readonly value?: Json;
  /** What the agent sees of it. */
  readonly shown?: Json;
}

export const UNCERTAIN = 'It may have been carried out: read before you send it again';

/** Reads JSON for the server itself. @returns `undefined` for an error or another format */
export async function readJson(response: Response, { signal }: AgentSite): Promise<Json | undefined> {
  const read = await readLimitedBody(response, MAX_BYTES, signal).catch(() => undefined);
  return response.ok && read ? findJson(new TextDecoder().decode(read.bytes())).json : undefined;
}

/** Characters of a text that is shown in place of JSON, or before it. */
const MAX_OTHER_LENGTH = 300;
/** Places at which the JSON after a notice can begin. */
const MAX_STARTS = 20;

/** PHP prints notices before the JSON. @returns the JSON and what is before it; no JSON if there is none */
function findJson(text: string): { readonly before: string; readonly json?: Json } {
  const starts = [0, ...Array.from(text.slice(0, 10_000).matchAll(/[[{]/g), ({ index }) => index)];
  for (const start of starts.slice(0, MAX_STARTS)) {
    const json = parseJson(quoteHugeIntegers(text.slice(start)));
    if (json !== undefined && isShallow(json, MAX_DEPTH))
      return { before: text.slice(0, start).trim(), json };
  }
  return { before: '' };
}

export async function describeResponse(
  response: Response,
  { fields, from, head = [], isRaw, isWriting, query }: Reading,
  site: AgentSite,
): Promise<ReadResponse> {
  const { headers, status } = response;
  const read = await readLimitedBody(response, MAX_BYTES, site.signal).catch(() => undefined);
  if (read === undefined || read === null) {
    const reason =
      read === undefined
        ? 'ended before its body was complete'
        : 'is larger than 2 MB: name "fields", or ask for fewer items';
    const text = `HTTP ${status}. The response ${reason}.${isWriting ? ` ${UNCERTAIN}.` : ''}`;
    return { result: { text, status, isError: true } };
  }
  const type = toLine(headers.get('content-type') ?? '', 60);
  const text = new TextDecoder().decode(read.bytes());
  const [isText, isJson] = [/^text\//, /[/+]json/].map((each) => each.test(type));
  const { before, json } = isText || isJson ? findJson(text) : { before: '' };
  const other = isJson ? shorten(text, MAX_OTHER_LENGTH) : `${type}, ${read.length} bytes`;
  const value = json ?? (isText ? text : other);
  const isError = status >= 300;
  // WordPress and its plugins answer writes with JSON, or with nothing.
  const isUnread = isWriting && json === undefined && read.length > 0;
  const age = readNumber(headers.get('age'));
  const allowed = site.reads.includes('*') ? value : dropEmbedded(value);
  const hidden = hideSecrets(allowed);
  const isShort = !isError && fields.length === 0 && head.length > 0;
  const chosen = isShort && memberAt(value, 'id') !== undefined ? head : fields;
  const selected = isError ? hidden.value : selectFields(hidden.value, chosen);
  const fitted = fitResponse(
    selected,
    isError ? [] : fields,
    isError || isShort ? MAX_TOKENS / 4 : MAX_TOKENS,
    { from, isRaw },
  );
  const notes = isError
    ? [...explainError(response, value, site), ...fitted.notes, hidden.note]
    : [
        describePaging(query, headers),
        describeMissing(fields, value),
        ...fitted.notes,
        isSameData(allowed, value)
          ? ''
          : '"_embedded" is left out, because the operator has narrowed "reads"',
        hidden.note,
        age === undefined || age === 0 ? '' : `Stored ${age} s ago: "fresh": true asks the site again`,
      ];
  const lines = [
    `HTTP ${status}`,
    HUGE_INTEGER.test(text) && quoteHugeIntegers(text) !== text
      ? 'Integers beyond 2^53 are written as texts'
      : '',
    before === '' ? '' : 'The site has printed a text before the JSON',
    ...notes,
    // A gateway in between, or this one, has given up waiting.
    isUnread || (isWriting && (status === 502 || status === 504)) ? UNCERTAIN : '',
  ];
  const notice = before === '' ? '' : `${toLine(cleanText(before, true), MAX_OTHER_LENGTH)}\n`;
  const result = {
    text: lines.filter((line) => line !== '').join('. '),
    content: redact(notice + fitted.text, site),
    status,
    isError,
  };
  return isError ? { result } : { result, value: allowed, shown: parseJson(fitted.text) ?? null };
}

/** Leaves out `_embedded`, whose items are those of other operations. */
function dropEmbedded(value: Json): Json {
  const drop = (item: Json): Json =>
    isJsonObject(item)
      ? changeMembers(item, (member, name) => (name === '_embedded' ? undefined : member))
      : item;
  return Array.isArray(value) ? value.map(drop) : drop(value);
}

/** Placeholder of a secret. A body with it would replace the secret. */
export const SECRET = '[secret]';

/** Names such as `consumer_secret`, `clientSecret`, `aws_secret_access_key` and `user_pass`. */
const SECRET_NAME =
  /(?:^|_)secret(?:s|_?key)?$|(?:^|_)(?:passwords?|passwd|pass)$|(?:^|_)(?:access|api|private|consumer)_?key$|(?:^|(?:api|access|auth|refresh)_?)token$|(?:^|_)magic_link$/;

/** Names that also stand for other things. `meta_key` etc. name something. */
const KEY_NAME =
  /(?<!^(?:meta|field|group|sort|cache|primary))_key$|_tokens?$|pwd|passphrase|webhook|cookie|_sk$/;
/** Secrets below such names: a sentence or a short word is none. */
const KEY = /^\S{8,}$/;

type Secrecy = 'none' | 'keys' | 'all';

/** How much is secret below a name. */
function secrecyOf(name: Json | undefined): Secrecy {
  const words = String(name ?? '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-.]/g, '_')
    .toLowerCase();
  if (SECRET_NAME.test(words)) return 'all';
  return KEY_NAME.test(words) ? 'keys' : 'none';
}

const moreSecret = (...each: readonly Secrecy[]): Secrecy =>
  each.includes('all') ? 'all' : each.includes('keys') ? 'keys' : 'none';

/** Leaves out secrets by the names of their members, also of `{ key, value }`, `{ id, value }` and `{ name, value }`. */
export function hideSecrets(value: Json): { readonly value: Json; readonly note: string } {
  let count = 0;
  const hide = (each: Json, secrecy: Secrecy): Json => {
    if (Array.isArray(each)) return each.map((item: Json) => hide(item, secrecy));
    if (isJsonObject(each)) {
      const { id, key, name, type } = each;
      const ofValue = type === 'password' ? 'all' : moreSecret(...[key, id, name].map(secrecyOf));
      // The password of a post is for its readers: WP_REST_Posts_Controller.
      const isPost = each['slug'] !== undefined && each['date_gmt'] !== undefined;
      return changeMembers(each, (member, of) => {
        const own = isPost && of === 'password' ? 'none' : of === 'value' ? ofValue : secrecyOf(of);
        return hide(member, moreSecret(secrecy, own));
      });
    }
    const isText = typeof each === 'string' && each !== '';
    const isSecret = secrecy === 'all' ? isText || typeof each === 'number' : isText && KEY.test(each);
    if (secrecy === 'none' || !isSecret) return each;
    count += 1;
    return SECRET;
  };
  const shown = hide(value, 'none');
  return { value: shown, note: count === 0 ? '' : `Secrets are not for assistants: ${count} left out` };
}

function describeMissing(fields: readonly string[], value: Json): string {
  const item = Array.isArray(value) ? value[0] : value;
  const missing = fields.filter((field) => {
    const [first = '', ...others] = field.split('.');
    const member = memberAt(item, first);
    return (
      isJsonObject(item) &&
      (member === undefined || (others[0] === 'raw' && memberAt(member, 'raw') === undefined))
    );
  });
  if (missing.length === 0) return '';
  const names = missing.slice(0, 5).map((name) => JSON.stringify(toLine(name, 60)));
  const isRaw = missing.some((name) => name.endsWith('.raw'));
  return `The response has no ${names.join(', ')}${isRaw ? ': "query": {"context": "edit"} shows texts as stored' : ''}`;
}

function readNumber(text: Json | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(String(text)) ? Number(text) : undefined;
}

function describePaging(query: JsonObject, headers: Headers): string {
  const total = readNumber(headers.get('x-wp-total'));
  const totalPages = readNumber(headers.get('x-wp-totalpages'));
  if (total === undefined || totalPages === undefined) return '';
  const page = readNumber(query['page']) ?? 1;
  return `total: ${total}, totalPages: ${totalPages}${page < totalPages ? `, nextPage: ${page + 1}` : ''}`;
}

const HUGE_INTEGER = /\d{16}/;

/** Turns integers that JavaScript would round into texts. */
function quoteHugeIntegers(json: string): string {
  if (!HUGE_INTEGER.test(json)) return json;
  let isText = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') isText = !isText;
    const isHuge = !isText && /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
    return isHuge ? `"${token}"` : token;
  });
}

const PASSWORD_HINT =
  'Credentials are an application password: in wp-admin, Users > Profile > Application Passwords. An MCP client sends it as "Authorization: Basic base64(user:password)"; waygate mcp reads it from WAYGATE_AUTH';

function explainError({ headers, status }: Response, value: Json, site: AgentSite): readonly string[] {
  const code = memberAt(value, 'code');
  // A plugin can have a code for another failure: WooCommerce's `woocommerce_rest_cannot_create_order_refund` is a 500.
  const [known] = typeof code === 'string' ? adviseOn([code.slice(0, 100)]) : [];
  const isKnown = known !== undefined && (known.status === '' || known.status.includes(String(status)));
  const seconds = readNumber(headers.get('retry-after'));
  return [
    isKnown ? known.advice.replace(/\.$/, '') : '',
    status === 401 || (status === 403 && site.authorization === '') ? PASSWORD_HINT : '',
    seconds === undefined ? '' : `Try again after ${seconds} s`,
  ];
}

/** Replaces credentials, which a site can repeat in its response. */
function redact(text: string, { authorization }: AgentSite): string {
  const [, scheme = '', token = ''] = /^(\S+)\s+(.+)$/.exec(authorization) ?? [];
  const pair = /^basic$/i.test(scheme) ? decodeBasicPair(token) : '';
  const bytes = Uint8Array.from(pair.slice(pair.indexOf(':') + 1), (byte) => byte.charCodeAt(0));
  const password = new TextDecoder().decode(bytes);
  return [token, password, password.replaceAll(' ', '')]
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length >= 8)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '[credentials]'), text);
}

/** Characters at which texts of an item are cut, and those of a list. */
const TEXT_LENGTH = 3_000;
const LIST_TEXT_LENGTH = 600;

/** Mark at an end of a cut text. A body with it would lose the rest. */
export const CUT_MARK: RegExp = /… \[cut: \d+ characters in all\]|\[continued from \d+\] …/;

/** Members that tell an agent nothing, unless it names them. */
const OMITTED =
  /^(?:_links|(?:\w+_)?avatar_urls|class_list|generated_slug|guid|permalink_template|_wp_attachment_metadata)$/;

interface FittedResponse {
  readonly text: string;
  readonly notes: readonly string[];
}

export function fitResponse(
  whole: Json,
  fields: readonly string[],
  maxTokens: number,
  { from = 0, isRaw = false }: { readonly from?: number; readonly isRaw?: boolean } = {},
): FittedResponse {
  const tidier: Tidier = { fields: new Set(fields), isRaw, removed: 0 };
  const [named = ''] = fields.length === 1 ? fields : [];
  const member = Array.isArray(whole) || named === '' ? whole : memberAt(whole, ...named.split('.'));
  // `content` stands for its text.
  const [only, target] = ['raw', 'rendered'].flatMap((form): [string, Json][] => {
    const text = from > 0 && named !== '' ? memberAt(member, form) : undefined;
    return text === undefined ? [] : [[`${named}.${form}`, text]];
  })[0] ?? [named, member];
  if (typeof target === 'string' && (target === whole || from > 0 || target.length > TEXT_LENGTH))
    return fitText(target, only, from, maxTokens, tidier);
  const list = Array.isArray(target) ? target : undefined;
  const length = list === undefined ? TEXT_LENGTH : LIST_TEXT_LENGTH;
  // Each part takes a token at least.
  const parts = list?.slice(from, from + maxTokens) ?? [whole];
  const [first = null, ...others] = parts;
  const start = fitMembers(cutTexts(tidyValue(first, '', tidier), length), maxTokens);
  const texts = parts.length === 0 ? [] : [start.text];
  let tokens = estimateTokens(start.text);
  for (const part of others) {
    const text = JSON.stringify(cutTexts(tidyValue(part, '', tidier), length));
    tokens += estimateTokens(text);
    if (tokens > maxTokens) break;
    texts.push(text);
  }
  const cuts = [
    ...(texts.some((text) => CUT_MARK.test(text))
      ? [
          `Texts longer than ${length} characters are cut, with their length: to read on, name one of one item as the only one of "fields", with "from"`,
        ]
      : []),
    ...start.notes,
    ...describeRest(list ?? [], from, texts.length),
  ];
  return {
    text: list === undefined ? start.text : `[${texts.join()}]`,
    notes: [...cuts, ...describeRemoved(tidier)],
  };
}

/** Writes an object with the members that fit, or another value if it fits. */
function fitMembers(value: Json, maxTokens: number): FittedResponse {
  const text = JSON.stringify(value);
  if (estimateTokens(text) <= maxTokens) return { text, notes: [] };
  let tokens = 0;
  const kept = jsonMembers(value).filter(([name, member]) => {
    const size = estimateTokens(JSON.stringify({ [name]: member }));
    const fits = tokens + size <= maxTokens;
    if (fits) tokens += size;
    return fits;
  });
  const note = 'It is too large, so members are left out: name those that you need, or theirs, in "fields"';
  return { text: JSON.stringify(Object.fromEntries(kept)), notes: [note] };
}

function describeRest(list: readonly Json[], from: number, shown: number): readonly string[] {
  const end = from + shown;
  if (end < list.length)
    return [
      `Items ${from} to ${end} of ${list.length}: continue with "from": ${end}, or name fewer "fields"`,
    ];
  return shown === 0 && from > 0 ? [`"from" is past the end: there are ${list.length} items`] : [];
}

function describeRemoved({ removed }: Tidier): readonly string[] {
  return removed === 0 ? [] : [`Invisible characters were left out: ${removed}`];
}

/** Shows a text from a character on, as much of it as fits. */
function fitText(
  text: string,
  field: string,
  from: number,
  maxTokens: number,
  tidier: Tidier,
): FittedResponse {
  const tidy = String(tidyValue(text, field, tidier));
  const start = Math.min(from, tidy.length);
  // `encodeInto` never ends between the halves of a character.
  const { read } = new TextEncoder().encodeInto(
    tidy.slice(start),
    new Uint8Array(maxTokens * BYTES_OF_TOKEN),
  );
  const end = start + read;
  const before = start === 0 ? '' : `[continued from ${start}] …`;
  const after = end === tidy.length ? '' : `… [cut: ${tidy.length} characters in all]`;
  const part = before + tidy.slice(start, end) + after;
  const place = `Characters ${start} to ${end} of ${tidy.length}`;
  const next =
    end === tidy.length ? (start > 0 ? `${place}: the end` : '') : `${place}: continue with "from": ${end}`;
  return {
    text: JSON.stringify(field === '' ? part : { [field]: part }),
    notes: [...(next === '' ? [] : [next]), ...describeRemoved(tidier)],
  };
}

interface Tidier {
  readonly fields: ReadonlySet<string>;
  readonly isRaw: boolean;
  removed: number;
}

function tidyValue(value: Json, path: string, tidier: Tidier): Json {
  if (Array.isArray(value)) return value.map((item: Json) => tidyValue(item, path, tidier));
  if (typeof value === 'string') {
    if (tidier.isRaw) return value;
    const visible = removeInvisible(value);
    if (visible !== value) tidier.removed += [...value].length - [...visible].length;
    return cleanText(visible, path.endsWith('rendered'));
  }
  if (!isJsonObject(value)) return value;
  const tidy = changeMembers(value, (member, name) => {
    const at = path === '' ? name : `${path}.${name}`;
    return OMITTED.test(name) && !tidier.fields.has(at) ? undefined : tidyValue(member, at, tidier);
  });
  return Object.fromEntries(Object.entries(tidy).map(([name, member]) => [removeInvisible(name), member]));
}

export function cutTexts(value: Json, length: number): Json {
  if (typeof value === 'string') {
    if (value.length <= length) return value;
    return `${value.slice(0, length).replace(/[\ud800-\udbff]$/, '')}… [cut: ${value.length} characters in all]`;
  }
  if (Array.isArray(value)) return value.map((item: Json) => cutTexts(item, length));
  return isJsonObject(value) ? changeMembers(value, (member) => cutTexts(member, length)) : value;
}

/** As WordPress does for `_fields`. */
function selectFields(value: Json, fields: readonly string[]): Json {
  if (fields.length === 0) return value;
  if (Array.isArray(value)) return value.map((item: Json) => selectFields(item, fields));
  if (!isJsonObject(value)) return value;
  return changeMembers(value, (member, name) => {
    if (fields.includes(name)) return member;
    const prefix = `${name}.`;
    const below = fields.flatMap((field) => (field.startsWith(prefix) ? [field.slice(prefix.length)] : []));
    return below.length > 0 ? selectFields(member, below) : undefined;
  });
}

/** Bytes of a token in English and JSON. */
const BYTES_OF_TOKEN = 3;

export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_OF_TOKEN);
}

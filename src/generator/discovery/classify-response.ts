import type { BodyBuffer } from '../../base/http/body.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Steps } from '../../base/steps.ts';
import type { FetchedResponse } from './client.ts';
import type { FailureReason, FetchFailure } from './failures.ts';
import { quoteExcerpt } from './index-values.ts';
import { describeIndexDefect } from './read-index.ts';

export type ClassifiedResponse =
  | { readonly kind: 'index'; readonly value: JsonObject }
  | { readonly kind: 'failure'; readonly failure: FetchFailure };

interface ParsedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly isHtml: boolean;
  readonly json: JsonExtractionResult;
}

/** Accepts an index with any status and media type. @param ofNamespace or the index of a namespace */
export function* classifyResponse(fetched: FetchedResponse, ofNamespace: boolean): Steps<ClassifiedResponse> {
  const text = yield* decodeText(fetched.body);
  const json = yield* extractJson(text);
  yield;
  if (
    json.ok &&
    isJsonObject(json.value) &&
    describeIndexDefect(json.value) === undefined &&
    isNamespaceIndex(json.value) === ofNamespace
  ) {
    return { kind: 'index', value: json.value };
  }
  const response: ParsedResponse = {
    status: fetched.status,
    headers: fetched.headers,
    path: fetched.url.pathname,
    text,
    json,
    isHtml: !json.ok && /^\s*(?:<!doctype html|<html|<head|<body|<!--)/i.test(text.slice(0, 2_000)),
    title: /<title[^<>]{0,200}>([^<]{0,300})/i.exec(text.slice(0, 100_000))?.[1]?.trim() ?? '',
  };
  const [reason, , describe = describeStatus] =
    FAILURE_CLASSES.find(([, matches]) => matches(response)) ?? FALLBACK_CLASS;
  const code = readSiteError(response)?.code;
  const failure: FetchFailure = {
    reason,
    status: fetched.status,
    url: fetched.url.href,
    description: describe(response),
    ...(code === undefined ? {} : { code }),
  };
  return { kind: 'failure', failure };
}

function isNamespaceIndex(value: JsonObject): boolean {
  return Object.hasOwn(value, 'namespace') && !Object.hasOwn(value, 'namespaces');
}

type FailureClass = readonly [
  reason: FailureReason,
  matches: (response: ParsedResponse) => boolean,
  describe?: (response: ParsedResponse) => string,
];

const FAILURE_CLASSES: readonly FailureClass[] = [
  ['bot-challenge', isBotChallenge, (response) => `${describePage(response)}: a bot challenge`],
  ['loop', (response) => response.status === 508 || readSiteError(response)?.code === 'gateway_not_ready'],
  ['unauthorized', ({ status }) => status === 401],
  ['forbidden', ({ status }) => status === 403],
  ['too-many-requests', ({ status }) => status === 429],
  ['no-route', (response) => readSiteError(response)?.code === 'rest_no_route'],
  ['site-error', (response) => readSiteError(response) !== undefined],
  ['not-found', ({ status }) => status === 404 || status === 410],
  ['server-error', ({ status }) => status >= 500],
  ['login-page', isLoginForm, (response) => `${describePage(response)}: a login form`],
  ['client-error', ({ status }) => status >= 400],
  ['html', ({ isHtml }) => isHtml, (response) => `${describePage(response)} instead of JSON`],
  ['not-an-index', ({ json }) => json.ok, describeOtherJson],
  ...(['empty', 'truncated', 'too-deep'] as const).map((reason): FailureClass => {
    return [reason, ({ json }) => !json.ok && json.reason === reason, describeJsonError];
  }),
];

const FALLBACK_CLASS: FailureClass = ['not-json', () => true, describeJsonError];

function describePage({ status, title }: ParsedResponse): string {
  return `returned ${status} with an HTML page${title === '' ? '' : `, ${quoteExcerpt(title)}`}`;
}

function describeOtherJson({ status, json }: ParsedResponse): string {
  if (!json.ok) return '';
  const isNamespace = isJsonObject(json.value) && isNamespaceIndex(json.value);
  const defect = describeIndexDefect(json.value) ?? (isNamespace ? 'It is the index of one namespace.' : '');
  return `returned ${status} with JSON that is not a root index. ${defect}`.trim();
}

function describeJsonError({ status, json }: ParsedResponse): string {
  return `returned ${status} without readable JSON. ${json.ok ? '' : json.detail}`.trim();
}

function describeStatus(response: ParsedResponse): string {
  const error = readSiteError(response);
  if (error !== undefined) {
    return `returned ${response.status}: ${error.code}, ${quoteExcerpt(error.message, '"', 200)}`;
  }
  return response.isHtml && response.title !== '' ? describePage(response) : `returned ${response.status}`;
}

function readSiteError({
  json,
}: ParsedResponse): { readonly code: string; readonly message: string } | undefined {
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { value } = json;
  if (!Object.hasOwn(value, 'code') || !Object.hasOwn(value, 'message')) return undefined;
  const { code, message } = value;
  return typeof message === 'string' ? { code: quoteExcerpt(String(code), ''), message } : undefined;
}

function isBotChallenge({ headers, title }: ParsedResponse): boolean {
  return headers.get('cf-mitigated') === 'challenge' || /^(?:just a moment|attention required)/i.test(title);
}

function isLoginForm({ path, isHtml, text }: ParsedResponse): boolean {
  if (!isHtml) return false;
  const hasPasswordField = /\btype\s{0,9}=\s{0,9}["']?password/i;
  return /\/wp-login\.php$/.test(path) || hasPasswordField.test(text.slice(0, 200_000));
}

/** In UTF-8 (RFC 8259 §8.1), whatever the header names. Each chunk is a step. */
export function* decodeText(body: BodyBuffer): Steps<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of body.chunks) {
    text += decoder.decode(chunk, { stream: true });
    yield;
  }
  return text + decoder.decode();
}

type JsonExtractionResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly reason: 'empty' | 'truncated' | 'too-deep' | 'not-json';
      readonly detail: string;
    };

/** Finds the value, or the first wanted object: PHP prints notices around it. @param isWanted an object after text */
export function* extractJson(
  text: string,
  isWanted: (value: unknown) => boolean = isWordPressObject,
): Steps<JsonExtractionResult> {
  const start = text.search(/\S/);
  if (start === -1) return { ok: false, reason: 'empty', detail: 'The response is empty.' };
  yield;
  const parsed = yield* parseInSteps(text, start);
  if (parsed !== undefined && text.slice(parsed.end).trim() === '') return { ok: true, value: parsed.value };
  return (yield* findObject(text, start, isWanted)) ?? toJsonError(text, start, yield* findEnd(text, start));
}

const MAX_WORK_PER_CHARACTER = 4;

const OBJECT_START = /\{(?=\s{0,20}["}])/g;

function* findObject(
  text: string,
  first: number,
  isWanted: (value: unknown) => boolean,
): Steps<JsonExtractionResult | undefined> {
  let work = 0;
  let from = findNext(OBJECT_START, text, first);
  while (from < text.length && work <= MAX_WORK_PER_CHARACTER * text.length) {
    const { defect, end } = yield* findEnd(text, from);
    work += end - from;
    if (defect === 'truncated' || defect === 'too-deep') return toJsonError(text, from, { defect, end });
    const parsed = defect === undefined ? yield* parseInSteps(text, from) : undefined;
    if (parsed !== undefined && isWanted(parsed.value)) return { ok: true, value: parsed.value };
    from = findNext(OBJECT_START, text, parsed === undefined ? from + 1 : end);
  }
  return undefined;
}

function isWordPressObject(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  return has('routes') ? has('namespaces') || has('namespace') || has('name') : has('code') && has('message');
}

function toJsonError(
  text: string,
  start: number,
  { defect: reason = 'not-json', end }: JsonEnd,
): JsonExtractionResult {
  const details = {
    truncated: `The JSON ends unexpectedly after ${text.length} characters, at ${quoteExcerpt(text.slice(-40))}.`,
    'too-deep': `The JSON exceeds the nesting limit at character ${end}.`,
    'not-json': `It begins with ${quoteExcerpt(text.slice(start))}.`,
  };
  return { ok: false, reason, detail: details[reason] };
}

/** @param levels of objects that are parsed member by member, because a root index has its routes there */
function* parseInSteps(
  text: string,
  start: number,
  levels = 2,
): Steps<{ readonly value: unknown; readonly end: number } | undefined> {
  if (levels === 0 || text[start] !== '{') {
    const { defect, end } = yield* findEnd(text, start);
    const parsed = defect === undefined ? parse(text.slice(start, end)) : undefined;
    return parsed && { ...parsed, end };
  }
  const members: (readonly [string, unknown])[] = [];
  let at = start;
  do {
    at = skipWhitespace(text, at + 1);
    if (members.length === 0 && text[at] === '}') break;
    const name = yield* parseInSteps(text, at, 0);
    if (typeof name?.value !== 'string') return undefined;
    at = skipWhitespace(text, name.end);
    if (text[at] !== ':') return undefined;
    const member = yield* parseInSteps(text, skipWhitespace(text, at + 1), levels - 1);
    if (member === undefined) return undefined;
    members.push([name.value, member.value]);
    yield;
    at = skipWhitespace(text, member.end);
  } while (text[at] === ',');
  return text[at] === '}' ? { value: Object.fromEntries(members), end: at + 1 } : undefined;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

interface JsonEnd {
  readonly end: number;
  readonly defect?: 'truncated' | 'too-deep' | 'not-json';
}

/** `JSON.parse` keeps a stack frame for each open bracket: 64 MiB of `[` would need gigabytes. */
const MAX_DEPTH = 200_000;

const CHARACTERS_PER_STEP = 100_000;

function* findEnd(text: string, start: number): Steps<JsonEnd> {
  let at = start;
  let depth = 0;
  let stepEnd = start + CHARACTERS_PER_STEP;
  do {
    if (at >= text.length) return { end: at, defect: 'truncated' };
    if (at >= stepEnd) {
      stepEnd = at + CHARACTERS_PER_STEP;
      yield;
    }
    const character = text[at];
    if (character === '"') {
      const quote = findQuote(text, at + 1);
      if (quote < 0) return { end: at, defect: 'not-json' };
      at = quote;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (depth === 0) return { end: findNext(LITERAL_END, text, at) };
    at += 1;
    if (depth > MAX_DEPTH) return { end: at, defect: 'too-deep' };
  } while (depth > 0);
  return { end: at };
}

function skipWhitespace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; ) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return at;
}

function findQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at += 1;
    else if (code < 0x20) return -1;
  }
  return text.length;
}

const LITERAL_END = /[\s,:{}[\]"]/g;

function findNext(expression: RegExp, text: string, start: number): number {
  expression.lastIndex = start;
  return expression.exec(text)?.index ?? text.length;
}

import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Steps } from '../../base/steps.ts';
import type { FetchedResponse } from './client.ts';
import type { FailureReason, FetchFailure } from './failures.ts';
import { quoteExcerpt } from './index-values.ts';
import { describeIndexDefect } from './read-index.ts';
import { decodeText, extractJson, type JsonExtractionResult } from './response-text.ts';

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

/** Accepts an index with any status and media type: sites send both wrong. */
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
  // Only a gateway that has not read its site, such as this one, responds with this code.
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

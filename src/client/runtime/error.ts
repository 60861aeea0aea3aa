import type { ClientErrorCode, RawResult, ResponseError } from './types.ts';

/** The longest part of a body that an error quotes, in characters. */
const EXCERPT_LENGTH = 300;

/** The error of a call with the option `throw`. */
export class ApiError extends Error implements ResponseError {
  override readonly name = 'ApiError';
  readonly source: ResponseError['source'];
  readonly code: string;
  readonly status: number;
  readonly data: ResponseError['data'];
  readonly additional_errors?: NonNullable<ResponseError['additional_errors']>;
  readonly response: Response;

  constructor(error: ResponseError, response: Response) {
    super(error.message);
    this.source = error.source;
    this.code = error.code;
    this.status = error.status;
    this.data = error.data;
    if (error.additional_errors !== undefined) this.additional_errors = error.additional_errors;
    this.response = response;
  }
}

/** Creates an error of the client itself. */
export function createClientError(
  code: ClientErrorCode,
  status: number,
  message: string,
  body = '',
): ResponseError {
  // Only the beginning of the body is searched, so that the work is bounded.
  const text = body
    .slice(0, 10 * EXCERPT_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  const excerpt = text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH - 1)}…` : text;
  return { source: 'client', code, message, status, data: excerpt === '' ? { status } : { status, excerpt } };
}

/** Reads a response: its data or its error, and the totals of a list. */
export async function readResult(response: Response, method: string): Promise<RawResult> {
  const { status, headers } = response;
  if (
    response.type === 'opaqueredirect' ||
    (status > 300 && status < 304) ||
    status === 307 ||
    status === 308
  ) {
    const target = headers.get('location') ?? 'another URL';
    const message = `The site redirected the ${method} request to ${target.slice(0, EXCERPT_LENGTH)}. Check the baseUrl.`;
    return { error: createClientError('client_redirected', status, message), response };
  }
  const type = (headers.get('content-type') ?? '').toLowerCase();
  if (response.ok && !isText(type)) return { data: await response.blob(), response };
  const text = await response.text();
  const content = readContent(text, type);
  if (!response.ok) return { error: createError(response, type, content, text), response };
  if ('code' in content) return { error: unreadable(content.code, status, text), response };
  const total = readCount(headers, 'x-wp-total');
  const totalPages = readCount(headers, 'x-wp-totalpages');
  // WordPress sends the value null without content.
  const data = text === '' ? (method === 'HEAD' || status === 204 ? undefined : null) : content.value;
  return {
    data,
    response,
    ...(total === undefined ? {} : { total }),
    ...(totalPages === undefined ? {} : { totalPages }),
  };
}

function isText(type: string): boolean {
  return type === '' || /^text\/|[/+](?:json|xml|javascript)\b/.test(type);
}

/** The parsed body, or why it cannot be read. A web server may lose the media type of JSON, so HTML is tried as JSON. */
function readContent(text: string, type: string): { value: unknown } | { code: ClientErrorCode } {
  if (text === '') return { value: undefined };
  const isHtml = /^(?:text\/html|application\/xhtml)/.test(type);
  const isJson = /[/+]json\b/.test(type);
  if (!isHtml && !isJson && type !== '') return { value: text };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    if (isJson) return { code: 'client_invalid_json' };
    return isHtml ? { code: 'client_html_response' } : { value: text };
  }
}

function createError(
  { status }: Response,
  type: string,
  content: ReturnType<typeof readContent>,
  text: string,
): ResponseError {
  if (text === '') {
    return createClientError(
      'client_empty_response',
      status,
      `The response has status ${status} and no body.`,
    );
  }
  if ('code' in content) return unreadable(content.code, status, text);
  return readError(content.value, status, type.startsWith('application/problem+json') ? 'gateway' : 'site');
}

/** Reads a WordPress error, or a problem document (RFC 9457) with or without the members of a WordPress error. */
export function readError(value: unknown, status: number, source: 'site' | 'gateway'): ResponseError {
  const code = codeOf(value) ?? (source === 'gateway' ? 'problem' : undefined);
  if (!isRecord(value) || code === undefined) {
    const message = `The response has status ${status} and no error code.`;
    return createClientError('client_unknown_error', status, message, JSON.stringify(value));
  }
  const data = value['data'] ?? (source === 'gateway' ? value : undefined);
  const additional = value['additional_errors'];
  return {
    source,
    code,
    message: messageOf(value) ?? `The response has status ${status}.`,
    status,
    data: { status, ...(isRecord(data) ? data : {}), ...readParams(code, data) },
    ...(Array.isArray(additional)
      ? {
          additional_errors: additional.filter(isRecord).map((item) => {
            return { code: codeOf(item) ?? '', message: messageOf(item) ?? '', data: item['data'] };
          }),
        }
      : {}),
  };
}

/** The parameters that the site refused, in one form for each code: PHP writes an empty object as a list, and a list with gaps as an object. */
function readParams(code: string, data: unknown): { readonly params?: unknown } {
  const params = isRecord(data) ? data['params'] : undefined;
  if (code === 'rest_invalid_param') return { params: isRecord(params) ? params : {} };
  if (code === 'rest_missing_callback_param') return { params: Object.values(params ?? {}) };
  return {};
}

function unreadable(code: ClientErrorCode, status: number, text: string): ResponseError {
  const what = code === 'client_html_response' ? 'is an HTML page' : 'is not valid JSON';
  return createClientError(code, status, `The response with status ${status} ${what}.`, text);
}

/** The code of a WordPress error. Some plugins use numbers. */
function codeOf(value: unknown): string | undefined {
  const code = isRecord(value) ? value['code'] : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined;
}

function messageOf(value: Readonly<Record<string, unknown>>): string | undefined {
  return [value['message'], value['detail'], value['title']].find((text) => typeof text === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readCount(headers: Headers, name: string): number | undefined {
  const value = headers.get(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

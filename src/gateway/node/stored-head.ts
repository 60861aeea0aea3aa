import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { RepeatedResponse } from '../../base/http/exchange.ts';
import { fieldValue, hasField, parseContentLength } from '../../base/http/fields.ts';

/** Milliseconds for which an idle connection stays open. Each HTTP/1.1 response tells the client. */
export const KEEP_ALIVE_TIMEOUT = 65_000;

const FIELDS_OF_NODE = ['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade'];

/** Head of a stored response as Node would write it; `null` if only Node can. */
export function formatHead(status: number, { body, headers }: RepeatedResponse): string | null {
  const hasLength = hasField(headers, 'content-length');
  if (hasLength && parseContentLength(headers) !== body.byteLength) return null;
  if (body.byteLength === 0 || status < 200 || status === 204 || status === 304) return null;
  if (fieldValue(headers, 'date') === undefined || FIELDS_OF_NODE.some((name) => hasField(headers, name)))
    return null;
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      return null;
    }
    text += `${name}: ${value}\r\n`;
  }
  // The site has sent chunks, as Node would do again.
  if (!hasLength) text += `Content-Length: ${body.byteLength}\r\n`;
  text += `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_TIMEOUT / 1000}\r\n`;
  // In one piece of memory, not a tree of concatenations.
  return Buffer.from(text, 'latin1').toString('latin1');
}

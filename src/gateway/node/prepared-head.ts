import { type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { RepeatedResponse } from '../../base/http/exchange.ts';
import { fieldValue, hasField, parseContentLength } from '../../base/http/fields.ts';

/** Milliseconds for which a connection without a request stays open. Each response of HTTP/1.1 tells the client. */
export const KEEP_ALIVE_TIMEOUT = 65_000;

/**
 * Writes a stored response to its connection. `writeHead` and `end` would validate and format all fields again at each hit, which
 * takes a tenth of its time. Everything else about the message is Node's: it goes on with the connection at the event `finish`.
 *
 * @param writer `isWritten` is set when the connection has taken the whole response. In Node 24 and later, `writableFinished` does not tell
 * @param added lines of this response only
 * @returns false if nothing was written, because Node has to write the head or must wait: for HTTP/1.0, the last response of a
 * connection, and one whose turn has not come
 */
export function writeStored(
  writer: { isWritten: boolean },
  outgoing: ServerResponse,
  httpVersion: string,
  status: number,
  response: RepeatedResponse,
  added: string,
): boolean {
  if (httpVersion !== '1.1' || !outgoing.shouldKeepAlive) return false;
  const { socket } = outgoing;
  if (socket === null || outgoing.headersSent) return false;
  if (response.text === undefined) response.text = formatHead(status, response);
  if (response.text === null) return false;
  outgoing.statusCode = status;
  // `end` would set this, and `writableEnded` follows from it.
  outgoing.finished = true;
  socket.cork();
  socket.write(`${response.text}${added}\r\n`, 'latin1');
  // After an error the connection closes, and with it the message, which is incomplete then.
  socket.write(response.body, (error) => {
    if (error !== null && error !== undefined) return;
    writer.isWritten = true;
    outgoing.emit('finish');
  });
  socket.uncork();
  return true;
}

const FIELDS_OF_NODE = ['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade'];

/** @returns `null` if Node must format the head, or refuse it */
function formatHead(status: number, { body, headers }: RepeatedResponse): string | null {
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
  // The site has sent it in chunks, as Node would do again.
  if (!hasLength) text += `Content-Length: ${body.byteLength}\r\n`;
  text += `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_TIMEOUT / 1000}\r\n`;
  // One text in one piece of memory, and not the tree of its concatenations.
  return Buffer.from(text, 'latin1').toString('latin1');
}

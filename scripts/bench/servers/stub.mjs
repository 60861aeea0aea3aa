// The site behind every contender. It responds from memory on bare sockets: it shares a core with the load generator, and
// node:http would use most of that core.
import net from 'node:net';
import { rootIndex } from '../index-document.mjs';
import { shop } from '../shop.mjs';
import { createResponseBody, listen, option } from './shared.mjs';

const routes = Number(option('routes', '10'));
const operations = Number(option('operations', '0'));
const body = createResponseBody();
const index = Buffer.from(
  JSON.stringify(operations > 0 ? shop(operations) : rootIndex(routes, 'http://127.0.0.1')),
);

let listResponse = createResponse('200 OK', body);
let indexResponse = createResponse('200 OK', index);
let createdResponse = createResponse('201 Created', body);
// A cache would add the time since an old `Date` to the age of the response.
setInterval(() => {
  listResponse = createResponse('200 OK', body);
  indexResponse = createResponse('200 OK', index);
  createdResponse = createResponse('201 Created', body);
}, 1000).unref();

/** @param {string} status @param {Buffer} content */
function createResponse(status, content) {
  const head =
    `HTTP/1.1 ${status}\r\nDate: ${new Date().toUTCString()}\r\nServer: stub\r\n` +
    'Content-Type: application/json; charset=UTF-8\r\nX-Content-Type-Options: nosniff\r\nAllow: GET, POST\r\n' +
    `Vary: Origin\r\nCache-Control: max-age=3600\r\nContent-Length: ${content.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

/** Matches the request line of the root index in its spellings. */
const INDEX_REQUEST = /^GET \/(?:wp-json\/?(?:\?\S*)?|\S*rest_route=\/(?:&\S*)?) /;

const server = net.createServer({ noDelay: true }, (socket) => {
  let buffer = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1');
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = buffer.slice(0, end);
      const length = bodyLength(head, buffer, end + 4);
      if (length < 0) return;
      buffer = buffer.slice(end + 4 + length);
      if (head.startsWith('POST')) socket.write(createdResponse);
      else socket.write(INDEX_REQUEST.test(head) ? indexResponse : listResponse);
    }
  });
});

/**
 * Returns the length of the body after the head, or -1 if it is incomplete.
 *
 * @param {string} head
 * @param {string} text received data
 * @param {number} from index of the body in `text`
 */
function bodyLength(head, text, from) {
  const counted = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (counted !== null) {
    const length = Number(counted[1]);
    return text.length - from >= length ? length : -1;
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return 0;
  const last = text.indexOf('0\r\n\r\n', from);
  return last < 0 ? -1 : last + 5 - from;
}

listen(server);

// The site behind every contender: answers from memory, straight from sockets, so that it is never what is measured.
// It shares a core with the load, and node:http would take most of it.
import net from 'node:net';
import { rootIndex } from '../index-document.mjs';
import { announce, answerBody, option } from './shared.mjs';

const routes = Number(option('routes', '10'));
const body = answerBody();
const index = Buffer.from(JSON.stringify(rootIndex(routes, option('base', 'http://127.0.0.1'))));

let answer = whole('200 OK', body);
let indexAnswer = whole('200 OK', index);
let created = whole('201 Created', body);
// A cache would take an old date for an old answer.
setInterval(() => {
  answer = whole('200 OK', body);
  indexAnswer = whole('200 OK', index);
  created = whole('201 Created', body);
}, 1000).unref();

/** @param {string} status @param {Buffer} content */
function whole(status, content) {
  const head =
    `HTTP/1.1 ${status}\r\nDate: ${new Date().toUTCString()}\r\nServer: stub\r\n` +
    'Content-Type: application/json; charset=UTF-8\r\nX-Content-Type-Options: nosniff\r\nAllow: GET, POST\r\n' +
    `Vary: Origin\r\nContent-Length: ${content.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

const server = net.createServer({ noDelay: true }, (socket) => {
  let held = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    held += chunk.toString('latin1');
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = held.slice(0, end);
      const length = bodyLength(head, held, end + 4);
      if (length < 0) return;
      held = held.slice(end + 4 + length);
      if (head.startsWith('POST')) socket.write(created);
      else
        socket.write(
          /^GET \/(?:wp-json\/?(?:\?\S*)?|\S*rest_route=\/(?:&\S*)?) /.test(head) ? indexAnswer : answer,
        );
    }
  });
});

/**
 * How many bytes of body follow the head, -1 while they are not all there.
 *
 * @param {string} head
 * @param {string} text
 * @param {number} from
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

announce(server);

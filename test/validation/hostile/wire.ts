import { connect } from 'node:net';

/** A request as bytes, in the pieces in which it is written. */
export type Pieces = Iterable<string | Buffer>;

/** The status of the answer; 0 where the connection was closed without one. */
export function send(origin: string, pieces: Pieces, timeout = 8000): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let head = '';
    const finish = (status: number): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(status);
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${timeout} ms`));
    }, timeout);
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 ([2-5]\d\d)/m.exec(head)?.[1];
      if (status !== undefined) finish(Number(status));
    });
    socket.on('error', () => finish(0));
    socket.on('close', () => finish(0));
    const iterator = pieces[Symbol.iterator]();
    const write = (): void => {
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
        if (socket.destroyed) return;
        if (!socket.write(next.value)) {
          socket.once('drain', write);
          return;
        }
      }
    };
    socket.on('connect', write);
  });
}

export type Fields = Readonly<Record<string, string>>;

export function get(target: string, fields: Fields = {}): Pieces {
  return [head('GET', target, fields)];
}

export function post(target: string, type: string, body: string | Buffer, fields: Fields = {}): Pieces {
  return withBody('POST', target, { ...(type === '' ? {} : { 'Content-Type': type }), ...fields }, body);
}

export function withBody(method: string, target: string, fields: Fields, body: string | Buffer): Pieces {
  const bytes = Buffer.from(body);
  return [head(method, target, { 'Content-Length': String(bytes.length), ...fields }), bytes];
}

/** Each byte of the body a chunk of its own. */
export function* chunked(target: string, type: string, body: string): Generator<string> {
  yield head('POST', target, { 'Content-Type': type, 'Transfer-Encoding': 'chunked' });
  for (const byte of body) yield `1\r\n${byte}\r\n`;
  yield '0\r\n\r\n';
}

export function head(method: string, target: string, fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\nHost: gateway.example.com\r\n${lines.join('')}\r\n`;
}

/** A form of parts with one file of so many bytes, which are made while they are sent. */
export function* upload(target: string, bytes: number, field: string): Generator<string | Buffer> {
  const before = `--b\r\nContent-Disposition: form-data; name="status"\r\n\r\n${field}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const after = '\r\n--b--\r\n';
  const length = before.length + bytes + after.length;
  yield head('POST', target, {
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': String(length),
  });
  yield before;
  const piece = Buffer.alloc(256 * 1024, 7);
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece.subarray(0, bytes - sent);
  yield after;
}

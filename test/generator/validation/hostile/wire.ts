import { connect } from 'node:net';

/** Chunks of an encoded request, written to the socket one after the other. */
export type RequestChunks = Iterable<string | Buffer>;

/** Sends a request and resolves to the response status; 0 if the connection was closed without a response. */
export function send(origin: string, chunks: RequestChunks, timeout = 60_000): Promise<number> {
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
      reject(new Error(`no response within ${timeout} ms`));
    }, timeout);
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 ([2-5]\d\d)/m.exec(head)?.[1];
      if (status !== undefined) finish(Number(status));
    });
    socket.on('error', () => finish(0));
    socket.on('close', () => finish(0));
    const iterator = chunks[Symbol.iterator]();
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

export function get(target: string, fields: Fields = {}): RequestChunks {
  return [head('GET', target, fields)];
}

export function post(
  target: string,
  type: string,
  body: string | Buffer,
  fields: Fields = {},
): RequestChunks {
  return withBody('POST', target, { ...(type === '' ? {} : { 'Content-Type': type }), ...fields }, body);
}

function withBody(method: string, target: string, fields: Fields, body: string | Buffer): RequestChunks {
  const bytes = Buffer.from(body);
  return [head(method, target, { 'Content-Length': String(bytes.length), ...fields }), bytes];
}

export function head(method: string, target: string, fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\nHost: gateway.example.com\r\n${lines.join('')}\r\n`;
}

/** Generates a multipart upload with one file of `bytes` bytes. */
export function* upload(target: string, bytes: number, field: string): Generator<string | Buffer> {
  const before = `--b\r\nContent-Disposition: form-data; name="status"\r\n\r\n${field}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const after = '\r\n--b--\r\n';
  const length = before.length + bytes + after.length;
  yield head('POST', target, {
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': String(length),
  });
  yield before;
  const fileChunk = Buffer.alloc(256 * 1024, 7);
  for (let sent = 0; sent < bytes; sent += fileChunk.length) yield fileChunk.subarray(0, bytes - sent);
  yield after;
}

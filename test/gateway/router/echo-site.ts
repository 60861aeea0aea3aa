import { connect } from 'node:net';
import type { RequestHead } from '../../../src/base/http/exchange.ts';

/** A request as interpreted by a site with the plugin `mu-plugins/echo.php`. */
export type SiteInterpretation =
  | {
      readonly kind: 'route';
      readonly route: string;
      readonly method: string;
      readonly matched: string | null;
    }
  | {
      readonly kind: 'other';
      readonly status: number;
      readonly front: string | null;
      readonly location: string | null;
    };

/** What PHP sees of the address of a request; `null` if the web server responds itself. */
export interface SeenAddress {
  readonly requestUri: string;
  readonly pathInfo: string;
  readonly get: string;
}

/** Sends a raw request, which no HTTP client would accept, and returns the response in bytes. */
export function exchange(port: number, head: RequestHead, body: string): Promise<string> {
  const fields = [...head.headers, 'Host', `127.0.0.1:${port}`, 'Connection', 'close', 'X-Echo', '1'];
  if (body !== '') fields.push('Content-Length', String(body.length));
  const lines = fields.flatMap((field, index) =>
    index % 2 === 0 ? [`${field}: ${fields[index + 1]}\r\n`] : [],
  );
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
    socket.write(`${head.method} ${head.target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, 'latin1');
  });
}

/** Sends a raw request, and returns the interpretation of a site with the plugin. */
export async function sendToSite(
  port: number,
  head: RequestHead,
  body: string,
): Promise<[SiteInterpretation, SeenAddress | null]> {
  const response = await exchange(port, head, body);
  const [block = ''] = response.split('\r\n\r\n', 1);
  const header = (name: string): string | null => {
    const value = new RegExp(`^${name}: *(.*?)\\s*$`, 'im').exec(block)?.[1];
    return value === undefined ? null : decodeBytes(value);
  };
  const requestUri = header('X-Request-Uri');
  const seen =
    requestUri === null
      ? null
      : { requestUri, pathInfo: header('X-Path-Info') ?? '', get: header('X-Get') ?? '' };
  const route = header('X-Seen-Route');
  const interpretation: SiteInterpretation =
    route === null
      ? {
          kind: 'other',
          status: Number(block.slice(9, 12)),
          front: header('X-Page'),
          location: header('Location'),
        }
      : {
          kind: 'route',
          route,
          method: header('X-Effective-Method') ?? '',
          matched: header('X-Matched-Route'),
        };
  return [interpretation, seen];
}

function decodeBytes(text: string): string {
  return text.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

import type { IncomingRequestHead } from '../../base/http/exchange.ts';

/** Reads the head of a web request, whose URL is normalized. @param hasContent perhaps of unknown length */
export function readRequestHead(
  request: Request,
  peerAddress = '',
  hasContent: boolean = request.body !== null,
): IncomingRequestHead {
  const origin = /^(https?):\/\/[^/?#]*/i.exec(request.url);
  const headers: string[] = [];
  for (const [name, value] of request.headers) headers.push(name, value);
  const isUnframed = hasContent && !request.headers.has('content-length');
  if (isUnframed && !request.headers.has('transfer-encoding')) headers.push('transfer-encoding', 'chunked');
  if (!request.headers.has('host')) headers.push('host', new URL(request.url).host);
  const target = request.url.slice(origin?.[0].length ?? 0).split('#', 1)[0] ?? '';
  return {
    method: request.method,
    target: target.startsWith('/') ? target : `/${target}`,
    headers,
    peerAddress,
    protocol: origin?.[1]?.toLowerCase() === 'https' ? 'https' : 'http',
    httpVersion: '1.1',
  };
}

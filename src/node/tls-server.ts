import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import { PROBLEMS } from '../gateway/exchange/problems.ts';
import { getGatewayInternals } from '../gateway/gateway.ts';
import { readRequestHeaders } from '../upstream/request-headers.ts';
import type { Certificates } from './certificates.ts';
import { HTTP2_LIMITS, Http2Incoming, Http2Outgoing } from './http2.ts';
import { type NodeListener, toRequestHead } from './listener.ts';
import { formatProblem, writeProblem } from './problems.ts';
import { UPGRADE_OPTIONS } from './websocket.ts';

/** Milliseconds for the handshake of TLS. */
const HANDSHAKE_TIMEOUT = 10_000;

/**
 * Creates a server of HTTP/2 and HTTP/1.1 over TLS. It uses new certificates as soon as they are read.
 *
 * @param limits members of the server that bound connections with HTTP/1.1
 * @param hsts value of `Strict-Transport-Security` for responses that have none
 */
export function createTlsServer(
  certificates: Certificates,
  listener: NodeListener,
  limits: object,
  hsts: string | undefined,
): Http2SecureServer {
  const added = hsts === undefined ? {} : { [HSTS]: hsts };
  const handle = (
    incoming: IncomingMessage | Http2ServerRequest,
    outgoing: ServerResponse | Http2ServerResponse,
  ): void => {
    if (hsts !== undefined) outgoing.setHeader(HSTS, hsts);
    if (incoming instanceof Http2ServerRequest) {
      if (!(outgoing instanceof Http2ServerResponse)) return;
      const request = new Http2Incoming(incoming);
      listener.handle(request, new Http2Outgoing(outgoing, request.method, added));
    } else if (!(outgoing instanceof Http2ServerResponse)) listener.handle(incoming, outgoing);
  };
  const server = createSecureServer({
    ...HTTP2_LIMITS,
    ...certificates.first,
    allowHTTP1: true,
    handshakeTimeout: HANDSHAKE_TIMEOUT,
    SNICallback: (name, done) => done(null, certificates.findContext(name)),
  });
  // A server of HTTP/2 reads these members for its connections with HTTP/1.1, and knows no options for them.
  Object.assign(server, limits, UPGRADE_OPTIONS);
  server.on('request', handle);
  // Unknown expectations may be ignored (RFC 9110 §10.1.1); `Expect` is not forwarded.
  server.on('checkExpectation', handle);
  // Without a listener Node closes the connection, or responds with an empty 405. RFC 8441 is not offered (no such setting).
  server.on('connect', (incoming: Http2ServerRequest, outgoing: Http2ServerResponse | Duplex) => {
    if (outgoing instanceof Http2ServerResponse) {
      writeProblem(new Http2Outgoing(outgoing, incoming.method, added), PROBLEMS.noTunnel);
    } else outgoing.end(formatProblem(PROBLEMS.noTunnel));
  });
  certificates.watch(() => server.setSecureContext(certificates.first));
  server.once('close', () => certificates.close());
  return server;
}

const HSTS = 'strict-transport-security';

/**
 * Creates the listener that redirects `http` to `https` (308 keeps method and content). It redirects to hosts that the gateway
 * serves only.
 *
 * @param getPort returns the port of the server of TLS
 */
export function createRedirectListener(
  listener: Pick<NodeListener, 'gateways'>,
  getPort: () => number,
): RequestListener {
  return (incoming, outgoing) => {
    const head = toRequestHead(incoming);
    const { target } = head;
    const readable = listener.gateways
      .map((gateway) => getGatewayInternals(gateway).context)
      .map((context) => ({ context, fields: readRequestHeaders(head, context.trust) }))
      .filter(({ fields: { client, refusal } }) => refusal === null && client.host !== '');
    if (!target.startsWith('/') || readable.length === 0) {
      writeProblem(outgoing, PROBLEMS.badRequest);
      return;
    }
    const [served] = readable.flatMap(({ context: { findSite, hosts }, fields }) => {
      const atHost = hosts === undefined ? null : hosts.locate(head, fields);
      return atHost === undefined ? [] : [{ client: fields.client, site: atHost ?? findSite(target) }];
    });
    if (served === undefined) {
      writeProblem(outgoing, PROBLEMS.misdirected);
      return;
    }
    const { client, site } = served;
    const address = site?.publicAddress;
    const port = address?.protocol === 'https' ? new URL(`https://${address.host}`).port : String(getPort());
    const name = client.host.replace(/:\d+$/, '');
    const authority = port === '' || port === '443' ? name : `${name}:${port}`;
    outgoing.writeHead(308, { location: `https://${authority}${target}`, 'content-length': 0 }).end();
  };
}

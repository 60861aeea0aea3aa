import type { EventEmitter } from 'node:events';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { PROBLEMS, type Problem, WEBSOCKET_LIMITS } from '../exchange/problem.ts';
import type { GatewayRequest } from '../gateway/gateway-request.ts';
import type { Exchange, UpstreamFailure } from '../http/exchange.ts';
import { fieldValue, hasField } from '../http/fields.ts';
import { classifyNetworkError } from '../http/network-errors.ts';
import { Slot, type WebSocketLimit } from '../upstream/site-connections.ts';
import type { Connections } from './connections.ts';
import { formatProblem, writeProblem } from './problems.ts';

/** The connection of a client that asks for another protocol (RFC 9110 §7.8). */
export interface Upgrade {
  readonly socket: Socket;
  /** Bytes that the client has sent after its request. */
  readonly head: Buffer;
}

export interface HandshakeSink {
  /** The site has switched protocols. @param headers of the response, without those of the connection */
  switched(headers: readonly string[]): void;
  refuse(problem: Problem): void;
  fail(failure: UpstreamFailure): void;
}

/**
 * Creates the listener for requests with `Upgrade`. A server can ignore it (RFC 9110 §7.8), and clients that offer `h2c` with each
 * request rely on that. Node has given up its parser here, with the content unread, so all but WebSocket handshakes are put back
 * without `Upgrade`, and the connection goes on.
 *
 * @param server of the connections
 * @param findActiveRequest finds the request before, if it was pipelined and its response is not complete
 * @param handle handles a handshake
 */
export function createUpgradeListener(
  server: EventEmitter,
  findActiveRequest: Connections['findActiveRequest'],
  handle: (incoming: IncomingMessage, outgoing: ServerResponse, upgrade: Upgrade) => void,
): (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const putBack = new WeakSet<Socket>();
  const listen = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // From Node 26 on, a request with content has a stream of its own here.
    if (!(socket instanceof Socket)) {
      socket.on('error', () => {}).end(formatProblem(PROBLEMS.badRequest), () => socket.destroy());
      return;
    }
    socket.on('error', () => socket.destroy());
    const before = findActiveRequest(socket);
    if (before !== undefined) {
      before.outgoing.once('close', () => {
        if (socket.writable) listen(incoming, socket, head);
      });
      return;
    }
    if (!isHandshake(incoming)) {
      // Clients offer it once. Node leaves some of its listeners on the socket, so one that does so again is the last on it.
      socket.unshift(Buffer.concat([formatWithoutUpgrade(incoming, putBack.has(socket)), head]));
      putBack.add(socket);
      server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
      return;
    }
    const outgoing = new ServerResponse(incoming);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(socket);
    outgoing.once('finish', () => socket.destroySoon());
    const { rawHeaders } = incoming;
    if (hasField(rawHeaders, 'content-length') || hasField(rawHeaders, 'transfer-encoding')) {
      writeProblem(outgoing, PROBLEMS.badRequest, { connection: 'close' });
      return;
    }
    handle(incoming, outgoing, { socket, head });
  };
  return listen;
}

/**
 * Options of a server whose Node asks, from 22.21 and 24.9 on, which requests to give up its parser for. Older versions ignore the
 * option.
 */
export const UPGRADE_OPTIONS: { readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean } = {
  shouldUpgradeCallback: isHandshake,
};

function isHandshake({ method, rawHeaders }: IncomingMessage): boolean {
  if (method !== 'GET') return false;
  const protocols = (fieldValue(rawHeaders, 'upgrade') ?? '').toLowerCase().split(',');
  return protocols.some((name) => name.trim() === 'websocket');
}

/** Formats a head as Node has parsed it, so it is read in the same way again. */
function formatWithoutUpgrade(message: IncomingMessage, isLast: boolean): Buffer {
  const { httpVersion, method, rawHeaders, url } = message;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  }
  return Buffer.from(`${text}${isLast ? 'Connection: close\r\n' : ''}\r\n`, 'latin1');
}

/**
 * Relays a WebSocket connection (RFC 6455) to the site: the handshake with the header section that other requests have, and then
 * all bytes in both directions.
 *
 * @returns ends the connection with the site when it is aborted
 * @internal
 */
export function relayWebSocket(
  request: GatewayRequest,
  { head, socket }: Upgrade,
  sink: HandshakeSink,
): Exchange {
  const { client, head: received, resolved, site } = request;
  const limit = site.webSockets;
  const refusal =
    // A write is forwarded with an observer. A site that ignores the upgrade would respond to it as to an ordinary request.
    limit === null ||
    limit.options.connections === 0 ||
    resolved.kind !== 'page' ||
    request.memo.mayChangeSite
      ? PROBLEMS.notRelayed
      : findHandshakeProblem(received.headers);
  if (refusal !== null || limit === null) {
    sink.refuse(refusal ?? PROBLEMS.notRelayed);
    return NOTHING;
  }
  const close = limit.open(client);
  if (typeof close === 'string') {
    sink.refuse(WEBSOCKET_LIMITS[close]);
    return NOTHING;
  }
  socket.once('close', close);
  // Nobody reads the connection before the handshake is answered. Without a read Node does not see that the client leaves.
  socket.once('end', leave).read(0);

  // Nothing of it is shared, so the site gets all fields of the client.
  request.resource = null;
  let closeHandshake = (): void => {};
  // The site works on a handshake as on any other request, and on an open connection only when it has something to say.
  const send = (): void => {
    closeHandshake = sendHandshake(request, { head, socket }, limit, sink, () => slot.release());
  };
  const slot = new Slot(site.concurrency, {
    send,
    refuse: (retryAfter) => sink.fail({ kind: 'overloaded', retryAfter }),
  });
  if (site.concurrency.enter(slot, client, true)) send();
  return {
    resume() {},
    abort() {
      slot.release();
      closeHandshake();
    },
  };
}

/**
 * Sends a handshake to the site, and joins the connections when the site has switched protocols.
 *
 * @param release called once the site has answered, or will not
 * @returns closes the connection of the handshake
 */
function sendHandshake(
  request: GatewayRequest,
  { head, socket }: Upgrade,
  { options }: WebSocketLimit,
  sink: HandshakeSink,
  release: () => void,
): () => void {
  const headers = [...request.forwardHeaders([]), 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
  const sent = openHandshake(request, headers);
  if (sent === null) {
    release();
    sink.fail({ kind: 'invalid-request' });
    return () => {};
  }
  let isDecided = false;
  /** @returns whether the client waits for an answer */
  const decide = (): boolean => {
    clearTimeout(timer);
    release();
    if (isDecided || socket.destroyed) return false;
    isDecided = true;
    return true;
  };
  const timer = setTimeout(() => {
    if (decide()) sink.fail({ kind: 'timeout' });
    sent.destroy();
  }, options.handshakeTimeout);
  sent.once('upgrade', (response, siteSocket: Duplex, siteHead: Buffer) => {
    const { headers: fields, rawHeaders, statusCode } = response;
    const isSwitched = statusCode === 101 && fields.upgrade?.toLowerCase() === 'websocket';
    if (!isSwitched || !decide()) {
      siteSocket.destroy();
      if (!isSwitched && decide()) sink.fail({ kind: 'connection-broken' });
      return;
    }
    sink.switched(request.toRelayedHead({ status: 101, reason: '', headers: rawHeaders }).headers);
    if (siteHead.length > 0) socket.write(siteHead);
    if (head.length > 0) siteSocket.write(head);
    join(socket, siteSocket, options.idleTimeout);
  });
  sent.once('response', (response) => {
    response.destroy();
    if (!decide()) return;
    // The site has responded without switching protocols. Its body is not relayed: the client can only fail.
    const { statusCode: status = 502 } = response;
    const message = `The site opened no WebSocket connection: it responded with ${status}.`;
    sink.refuse({ status: status >= 400 ? status : 502, code: 'gateway_websocket_declined', message });
  });
  sent.on('error', (cause) => {
    if (decide()) sink.fail({ kind: classifyNetworkError(cause)?.kind ?? 'connection-broken', cause });
  });
  sent.end();
  return () => {
    clearTimeout(timer);
    sent.destroy();
  };
}

const NOTHING: Exchange = { resume() {}, abort() {} };

function findHandshakeProblem(headers: readonly string[]): Problem | null {
  if (fieldValue(headers, 'sec-websocket-version') !== '13') return PROBLEMS.badWebSocketVersion;
  return (fieldValue(headers, 'sec-websocket-key') ?? '') === '' ? PROBLEMS.badHandshake : null;
}

/** @returns `null` if Node cannot send the request: it throws for some bytes of a target */
function openHandshake(request: GatewayRequest, headers: readonly string[]): ClientRequest | null {
  try {
    return (request.server.origin.startsWith('https:') ? httpsRequest : httpRequest)({
      ...toConnectOptions(request, headers),
      method: 'GET',
      path: request.upstreamTarget,
      headers,
      agent: false,
    });
  } catch {
    return null;
  }
}

function toConnectOptions({ server, site }: GatewayRequest, headers: readonly string[]): RequestOptions {
  const { hostname, port, protocol } = new URL(server.origin);
  const name = (fieldValue(headers, 'host') ?? '').replace(/:\d+$/, '');
  const ofSite = server.isConfigured ? site.upstream.tls : undefined;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    // The name that other connections to the site indicate.
    ...(protocol === 'https:'
      ? {
          servername: isIP(name) === 0 ? name : '',
          rejectUnauthorized: ofSite?.insecure !== true,
          ...(ofSite?.ca === undefined ? {} : { ca: ofSite.ca }),
        }
      : {}),
  };
}

/** A client that ends its half of the connection before the answer does not wait for it. */
function leave(this: Socket): void {
  this.destroy();
}

/** Copies all bytes between two connections until one is closed, or both are idle. */
function join(client: Socket, site: Duplex, idleTimeout: number): void {
  client.setTimeout(0).off('end', leave);
  const timer = setTimeout(() => {
    client.destroy();
    site.destroy();
  }, idleTimeout);
  const refresh = (): void => void timer.refresh();
  client.on('data', refresh);
  site.on('data', refresh);
  client.once('close', () => {
    clearTimeout(timer);
    site.destroy();
  });
  // Bytes that the site sent before are still written.
  site.on('error', () => {}).once('close', () => client.destroySoon());
  client.pipe(site);
  site.pipe(client);
}

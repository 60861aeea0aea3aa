import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UpstreamFailure } from '../http/exchange.ts';
import type { Http2Incoming, Http2Outgoing } from './http2.ts';

/** A request over either version of HTTP. */
export type Incoming = IncomingMessage | Http2Incoming;
export type Outgoing = ServerResponse | Http2Outgoing;

/** What has become of the response of a site. */
export interface ResponseOutcome {
  /** Whether a stored response was written to its end, around Node's message. */
  readonly isWritten: boolean;
  /** Why the response is missing or incomplete. */
  failure: UpstreamFailure | undefined;
  /** The response's `Cache-Status` (RFC 9211). */
  cacheStatus: string | undefined;
  /** Bytes of the content that was written, without codings of the transfer. */
  bytes: number;
  /** The client closed the connection before the end of the response. */
  abort(): void;
}

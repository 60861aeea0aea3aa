import type { RequestTrace } from './request-trace.ts';

/** Request line and header section, neither decoded nor normalized. Each character of a string is one byte. */
export interface RequestHead {
  readonly method: string;
  /** The request target: `/path?query`, or in absolute form. */
  readonly target: string;
  /** Flat list name, value, name, value: Node's `rawHeaders`. */
  readonly headers: readonly string[];
}

/** A request head with the properties of the connection on which it arrived. */
export interface IncomingRequestHead extends RequestHead {
  /** IP address of the client or of the proxy in front of the gateway, without port; empty if unknown. */
  readonly peerAddress: string;
  readonly protocol: 'http' | 'https';
  /** Protocol version in the form that `Via` uses: `1.1`. */
  readonly httpVersion: string;
  /** Path of the app that the gateway is mounted in, such as `/api`. The target does not contain it. @default none */
  readonly prefix?: string;
  /**
   * Spans of the request, if an SDK of OpenTelemetry is registered.
   *
   * @internal
   */
  readonly trace?: RequestTrace;
}

/** Methods that are not to change anything at the site (RFC 9110 §9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

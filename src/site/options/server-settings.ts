import type { BodyRate } from '../../exchange/request-body.ts';

export interface ServerSettings {
  /** 0 picks a free port. @default 8080 */
  readonly port?: number | undefined;
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** Paths of a certificate and its key. @default HTTP */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** A separate listener for `/-/`. @default none */
  readonly admin?: { readonly port: number; readonly host?: string | undefined } | undefined;
  /** Milliseconds that requests in flight can take after `stop()`. @default 10_000 */
  readonly shutdownGrace?: number | undefined;
  /**
   * Milliseconds after `stop()` for which everything is served, while `/-/ready` responds with 503. @default
   * 0
   */
  readonly shutdownDelay?: number | undefined;
  /**
   * Milliseconds after `stop()` for which an idle connection stays open: its client can be sending a request.
   * @default 0
   */
  readonly idleGrace?: number | undefined;
  /** Connections of clients; further ones get 503. @default as many as there are file descriptors */
  readonly maxConnections?: number | undefined;
  /** Rate at which request bodies must arrive. A slower request gets a 408. */
  readonly bodyRate?: BodyRate | undefined;
}

/** Request line and header section, as received: nothing is decoded or normalized. Strings are byte strings. */
export interface RequestHead {
  readonly method: string;
  /** The request target: `/path?query`, or in absolute form. */
  readonly target: string;
  /** Flat list name, value, name, value: Node's `rawHeaders`. */
  readonly headers: readonly string[];
}

/** A request head, with what the server knows of the connection that it arrived on. */
export interface IncomingRequestHead extends RequestHead {
  /** IP address of the peer, without port; empty if the platform does not report it. */
  readonly peerAddress: string;
  readonly protocol: 'http' | 'https';
  /** As in `Via`: `1.1`. */
  readonly httpVersion: string;
}

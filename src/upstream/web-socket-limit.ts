import type { WebSocketOptions } from '../../generated/option-types.d.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { nameNetwork } from './forwarded.ts';

export const DEFAULT_WEB_SOCKETS = {
  connections: 1_000,
  perClient: 32,
  idleTimeout: 300_000,
  handshakeTimeout: 10_000,
} as const;

/** The WebSocket connections of one site, by client network. */
export class WebSocketLimit {
  readonly options: Readonly<Record<keyof typeof DEFAULT_WEB_SOCKETS, number>>;
  readonly #openByNetwork = new Map<string, number>();
  #open = 0;

  constructor(options: WebSocketOptions) {
    this.options = { ...DEFAULT_WEB_SOCKETS, ...omitUndefined(options) };
  }

  /** Counts a connection of a client. @returns the function that ends it, called once; or which limit is reached */
  open(client: string): (() => void) | 'site' | 'client' {
    const network = nameNetwork(client, 32, 64);
    const ofClient = this.#openByNetwork.get(network) ?? 0;
    if (this.#open >= this.options.connections) return 'site';
    if (ofClient >= this.options.perClient) return 'client';
    this.#open += 1;
    this.#openByNetwork.set(network, ofClient + 1);
    return () => {
      this.#open -= 1;
      const left = (this.#openByNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.#openByNetwork.delete(network);
      else this.#openByNetwork.set(network, left);
    };
  }
}

import type { DiscoveryError } from '../../errors.ts';
import type { IncomingRequestHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Problem } from '../exchange/problem.ts';

/** Request field of a discovery with a value that only this gateway knows, and response field that returns it. */
const FIELD = 'x-waygate-probe';
const LOOP_DETECTED = 508;

/**
 * Finds out whether the URL of a site leads back to the gateway, over whichever path, name or proxies: until a discovery has
 * succeeded, its requests carry a nonce, and a request for the same site that arrives with it comes from the gateway itself. A
 * request for another site of the gateway may carry it: one site may be the origin of another.
 */
export class LoopProbe {
  /** `null` once a discovery has succeeded: requests are no longer looked at. */
  nonce: string | null;
  /** Whether a request of the discovery has come back. */
  #isLoop = false;

  /**
   * @param random returns a number in [0, 1)
   * @param isUsed `false` without discovery. `Via` alone ends a loop then (`upstream/request-headers.ts`)
   */
  constructor(random: () => number, isUsed: boolean) {
    const parts = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(36));
    this.nonce = isUsed ? parts.join('-') : null;
  }

  /** Whether a discovery has sent the request. */
  isSender({ headers }: IncomingRequestHead): boolean {
    return this.nonce !== null && fieldValue(headers, FIELD) === this.nonce;
  }

  /** The refusal of a request that has come back. Proxies in between relay the field that proves it. */
  get refusal(): Problem {
    return {
      status: LOOP_DETECTED,
      code: 'gateway_loop',
      message: 'The URL of this site leads back to the gateway.',
      headers: { [FIELD]: this.nonce ?? '' },
    };
  }

  /** Creates the `fetch` of the discovery. */
  createFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      if (this.nonce === null) return fetch(input, init);
      const headers = new Headers(init?.headers);
      headers.set(FIELD, this.nonce);
      const response = await fetch(input, { ...init, headers });
      if (response.status === LOOP_DETECTED && response.headers.get(FIELD) === this.nonce)
        this.#isLoop = true;
      return response;
    };
  }

  /** Whether a failed discovery has reached the gateway itself. */
  explains({ reason }: DiscoveryError): boolean {
    return this.#isLoop && reason === 'loop';
  }
}

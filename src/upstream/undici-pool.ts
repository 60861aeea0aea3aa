import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client, type Dispatcher, Pool } from 'undici';

/** The code that a connection reset by the site carries from here on, in place of `ECONNRESET`. */
export const RESET_CODE = 'SITE_RESET';

/**
 * undici's connection pool, without two of its faults that a site could use.
 *
 * undici 7 asserts that its parser is not paused when a connection ends after `Connection: close`. It is paused while a
 * caller is slow to read, and the assertion is thrown from a socket's event, where nobody can catch it: one such answer
 * ends the process (nodejs/undici#5360; mended in undici 8, which needs Node 22). And it takes a reset for the regular
 * end of a body without a length. Here a parser is woken before undici hears of the end, and a reset stays an error.
 */
export function createUndiciPool(origin: string, options: Omit<Pool.Options, 'factory'>): Pool {
  return new Pool(origin, {
    ...options,
    factory: (url, clientOptions: Client.Options) =>
      new GuardedClient(url, clientOptions, new ActiveHandler()),
  });
}

/** Whose answer is coming in on a client's only connection. */
class ActiveHandler {
  current: GuardedHandler | undefined;
}

class GuardedClient extends Client {
  readonly #turn: ActiveHandler;

  constructor(url: URL, options: Client.Options, active: ActiveHandler) {
    const { connect } = options;
    if (typeof connect !== 'function') throw new TypeError('a pool hands its clients a connector');
    super(url, {
      ...options,
      connect(target, callback) {
        connect(target, (...[error, socket]) => {
          if (error !== null) return callback(error, null);
          guardSocket(socket, active);
          callback(null, socket);
        });
      },
    });
    this.#turn = active;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, new GuardedHandler(handler, this.#turn));
  }
}

/** These listeners stand before undici's, so they are called before them. */
function guardSocket(socket: Socket, turn: ActiveHandler): void {
  socket.on('end', () => turn.current?.flush());
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = RESET_CODE;
  });
}

/** Passes everything on, and knows whether the parser is paused. */
class GuardedHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #turn: ActiveHandler;
  #wake: (() => void) | undefined;
  #paused = false;
  #ending = false;

  constructor(handler: Dispatcher.DispatchHandler, active: ActiveHandler) {
    this.#handler = handler;
    this.#turn = active;
  }

  readonly #resume = (): void => {
    if (!this.#paused) return;
    this.#paused = false;
    this.#wake?.();
  };

  /** Takes what is left (the socket's buffer is empty by now), whether the caller is ready or not. */
  flush(): void {
    this.#ending = true;
    this.#resume();
  }

  #unlessEnding(ready: boolean | undefined): boolean {
    this.#paused = ready === false && !this.#ending;
    return !this.#paused;
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#turn.current = this;
    this.#handler.onConnect?.(abort);
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void, reason: string): boolean {
    this.#wake = resume;
    return this.#unlessEnding(this.#handler.onHeaders?.(status, headers, this.#resume, reason));
  }

  onData(chunk: Buffer): boolean {
    return this.#unlessEnding(this.#handler.onData?.(chunk));
  }

  onComplete(trailers: string[] | null): void {
    this.#handler.onComplete?.(trailers);
  }

  onError(error: Error): void {
    this.#handler.onError?.(error);
  }

  onUpgrade(status: number, headers: Buffer[] | string[] | null, socket: Duplex): void {
    this.#handler.onUpgrade?.(status, headers, socket);
  }
}

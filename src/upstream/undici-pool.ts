import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client, type Dispatcher, Pool } from 'undici';

/** Error code of a connection that the site reset. It replaces `ECONNRESET`, which undici treats as a regular end. */
export const SITE_RESET_CODE = 'SITE_RESET';

/**
 * Creates undici's connection pool with workarounds for two faults that a site could exploit.
 *
 * - undici 7 asserts that its parser is not paused when a connection ends after `Connection: close`. A slow client pauses
 *   the parser. The assertion then throws from a socket event, where nothing catches it, and ends the
 *   process (nodejs/undici#5360; fixed in undici 8, which needs Node 22). The parser is resumed before undici handles
 *   the end.
 * - undici 7 treats a reset as the regular end of a body without a length. The error code is changed, so it stays an
 *   error.
 */
export function createUndiciPool(origin: string, options: Omit<Pool.Options, 'factory'>): Pool {
  return new Pool(origin, {
    ...options,
    factory: (url, clientOptions: Client.Options) =>
      new GuardedClient(url, clientOptions, new ActiveHandler()),
  });
}

/** The handler whose response arrives on a client's only connection. */
class ActiveHandler {
  current: GuardedHandler | undefined;
}

class GuardedClient extends Client {
  readonly #turn: ActiveHandler;

  constructor(url: URL, options: Client.Options, active: ActiveHandler) {
    const { connect } = options;
    if (typeof connect !== 'function') throw new TypeError('undici passes no connector to the pool factory');
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

/** Registers listeners on a new socket. undici registers its own later, so these run first. */
function guardSocket(socket: Socket, turn: ActiveHandler): void {
  socket.on('end', () => turn.current?.flush());
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = SITE_RESET_CODE;
  });
}

/** Forwards all calls to a handler, and records whether the parser is paused. */
class GuardedHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #turn: ActiveHandler;
  #resumeParser: (() => void) | undefined;
  #paused = false;
  #ending = false;

  constructor(handler: Dispatcher.DispatchHandler, active: ActiveHandler) {
    this.#handler = handler;
    this.#turn = active;
  }

  readonly #resume = (): void => {
    if (!this.#paused) return;
    this.#paused = false;
    this.#resumeParser?.();
  };

  /** Delivers the rest of the response, even if the handler is not ready. The socket has no further bytes. */
  flush(): void {
    this.#ending = true;
    this.#resume();
  }

  #applyBackpressure(isReady: boolean | undefined): boolean {
    this.#paused = isReady === false && !this.#ending;
    return !this.#paused;
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#turn.current = this;
    this.#handler.onConnect?.(abort);
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void, reason: string): boolean {
    this.#resumeParser = resume;
    return this.#applyBackpressure(this.#handler.onHeaders?.(status, headers, this.#resume, reason));
  }

  onData(chunk: Buffer): boolean {
    return this.#applyBackpressure(this.#handler.onData?.(chunk));
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

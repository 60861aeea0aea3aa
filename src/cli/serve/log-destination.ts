import { openSync, write, writeSync } from 'node:fs';

/** Options of {@link LogDestination}. Times are in milliseconds. */
export interface LogDestinationOptions {
  /** Path of a file, or a file descriptor. */
  readonly file: string | number;
  /** Bytes that wait to be written. A chunk that exceeds them is dropped whole. */
  readonly maxQueuedBytes: number;
  /** Receives the message of the first failed write, and of the first one after a successful write. */
  readonly onError: (message: string) => void;
  /** Called when chunks are dropped because the output is too slow, once until it has caught up. */
  readonly onDrop: () => void;
}

/** Time after which a write to an output that is not ready is repeated. */
const RETRY_INTERVAL = 5;
/** Time that the final flush waits for an output that is not ready. */
const FINAL_FLUSH_TIMEOUT = 1_000;
/** Errors of an output that accepts data later. */
const NOT_READY = new Set(['EAGAIN', 'EBUSY']);

/**
 * Writes chunks to a file descriptor in the background and in their order. A failed chunk is written again with the next one,
 * except if the reader of a pipe has closed it: then everything is dropped. The final flush has a time limit: a pipe whose
 * reader is gone or does not read must not keep the process alive.
 */
export class LogDestination {
  readonly #options: LogDestinationOptions;
  readonly #fd: number;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  /** Whether a background write is running, or waits to be repeated. */
  #isWriting = false;
  /** Whether the first chunk of the queue is being written in the background. */
  #isInFlight = false;
  #isEnding = false;
  #isFailing = false;
  #isDropping = false;
  #isClosed = false;
  #flushed: ((error?: Error) => void)[] = [];

  /** @throws the error of the file system if the file cannot be opened */
  constructor(options: LogDestinationOptions) {
    this.#options = options;
    this.#fd = typeof options.file === 'number' ? options.file : openSync(options.file, 'a');
  }

  /** Adds a chunk. It must not be changed later. */
  write(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#queuedBytes + chunk.byteLength > this.#options.maxQueuedBytes) {
      if (!this.#isDropping) this.#options.onDrop();
      this.#isDropping = true;
    } else {
      this.#queue.push(chunk);
      this.#queuedBytes += chunk.byteLength;
    }
    this.#writeNext();
  }

  /** Calls `done` when everything is written, or with the error of the next failed write. */
  flush(done: (error?: Error) => void): void {
    this.#flushed.push(done);
    this.#writeNext();
  }

  /** From now on, chunks are only queued: a background write might not finish before the process ends. */
  beginFinalFlush(): void {
    this.#isEnding = true;
  }

  /** Writes what is queued before it returns, within a second. */
  flushSync(): void {
    if (this.#isInFlight) this.#removeWritten(this.#queue[0]?.byteLength ?? 0);
    const deadline = Date.now() + FINAL_FLUSH_TIMEOUT;
    while (this.#queue.length > 0) {
      try {
        this.#removeWritten(writeSync(this.#fd, this.#queue[0] ?? EMPTY));
      } catch (error) {
        if (!isNotReady(error) || Date.now() >= deadline) return;
        Atomics.wait(SLEEP, 0, 0, RETRY_INTERVAL);
      }
    }
  }

  #writeNext(): void {
    if (this.#isWriting || this.#isEnding) return;
    const chunk = this.#queue[0];
    if (chunk === undefined) {
      this.#settle();
      return;
    }
    this.#isWriting = true;
    this.#isInFlight = true;
    write(this.#fd, chunk, (error, written) => {
      this.#isInFlight = false;
      if (error !== null && isNotReady(error)) {
        // The timer alone must not keep the process alive.
        setTimeout(() => this.#continue(), RETRY_INTERVAL).unref();
        return;
      }
      this.#isWriting = false;
      if (error !== null) this.#fail(error);
      else {
        this.#isFailing = false;
        this.#isDropping = false;
        this.#removeWritten(written);
        this.#writeNext();
      }
    });
  }

  #continue(): void {
    this.#isWriting = false;
    this.#writeNext();
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (!this.#isFailing) this.#options.onError(error.message);
    this.#isFailing = true;
    if (error.code === 'EPIPE') {
      this.#isClosed = true;
      this.#queue = [];
      this.#queuedBytes = 0;
    }
    this.#settle(error);
  }

  #settle(error?: Error): void {
    const flushed = this.#flushed;
    this.#flushed = [];
    for (const done of flushed) done(error);
  }

  #removeWritten(length: number): void {
    const [chunk, ...rest] = this.#queue;
    if (chunk === undefined) return;
    this.#queuedBytes -= length;
    this.#queue = length < chunk.byteLength ? [chunk.subarray(length), ...rest] : rest;
  }
}

const EMPTY = new Uint8Array();
/** Never notified: `Atomics.wait` on it sleeps. */
const SLEEP = new Int32Array(new SharedArrayBuffer(4));

function isNotReady(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_READY.has(String(error.code));
}

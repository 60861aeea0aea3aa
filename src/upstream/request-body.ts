import { Readable } from 'node:stream';
import { errors } from 'undici';

/**
 * A stream that relays the client's request body to the site.
 *
 * undici destroys a body if the site responds before it has read all of it. Destroying an `IncomingMessage` closes the
 * client's connection before the response is written, so undici gets this stream instead. When this stream is destroyed,
 * the rest of the client's body is discarded, and the client's connection stays usable.
 */
export class RequestBodyStream extends Readable {
  readonly #source: Readable;

  constructor(source: Readable) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    // The transport reports the error. An error event without a listener would end the process.
    this.on('error', ignore);
    source.on('data', this.#onData).on('end', this.#onEnd).on('error', ignore).on('close', this.#onClose);
    if (source.destroyed) this.#onClose();
  }

  readonly #onData = (chunk: Uint8Array): void => {
    if (!this.push(chunk)) this.#source.pause();
  };

  readonly #onEnd = (): void => {
    this.push(null);
  };

  readonly #onClose = (): void => {
    if (!this.#source.readableEnded) this.destroy(new errors.RequestAbortedError());
  };

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#source.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    if (!this.#source.readableEnded && !this.#source.destroyed) this.#source.resume();
    callback(error);
  }
}

/**
 * Reads a short body into memory. The request is then sent in one write instead of three, and a slow client does not
 * occupy a connection to the site.
 *
 * @param done called once; with `null` if the client left before the end
 */
export function readWholeBody(source: Readable, done: (body: Uint8Array | null) => void): void {
  const chunks: Uint8Array[] = [];
  const finish = (body: Uint8Array | null): void => {
    source.off('data', onData).off('end', onEnd).off('close', onClose);
    done(body);
  };
  const onData = (chunk: Uint8Array): void => {
    chunks.push(chunk);
  };
  const onEnd = (): void => {
    const [first] = chunks;
    finish(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
  };
  const onClose = (): void => finish(null);
  source.on('data', onData).on('end', onEnd).on('error', ignore).on('close', onClose);
  if (source.destroyed) onClose();
}

function ignore(): void {}

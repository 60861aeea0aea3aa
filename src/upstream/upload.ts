import { Readable } from 'node:stream';
import { errors } from 'undici';

/**
 * A request body on its way to the site. The caller's own stream is never handed out: undici destroys a body when the
 * site answers before it has read all of it, and destroying an `IncomingMessage` closes the caller's connection before
 * the answer is written. What the site does not want is read and thrown away, so that the connection can go on.
 */
export class UploadStream extends Readable {
  readonly #source: Readable;

  constructor(source: Readable) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    // Whoever destroys an upload has been told of the reason already; without a listener it would end the process.
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
 * Reads a short body whole: one write to the site instead of three, and no connection of the site's is held by a
 * caller who takes his time to send.
 *
 * @param done called once, with `null` where the caller left before the end
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

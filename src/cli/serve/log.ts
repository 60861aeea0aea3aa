import { openSync, writeSync, writev } from 'node:fs';
import { type Logger, pino } from 'pino';
import type { Config } from '../../base/option-types.ts';
import type { AccessLogEntry } from '../../gateway/node/index.ts';
import { Recent } from '../../gateway/site/traffic/site-recorder.ts';
import type { CommandIo } from '../io.ts';
import { allowsColours } from '../terminal.ts';
import { createLineFormat, type LineFormat } from './log-format.ts';

const MAX_QUEUED_BYTES = 4 * 1024 * 1024;
const STANDARD_OUTPUT = 1;
/** Bytes of a chunk. Each chunk wakes a thread. */
const CHUNK_LENGTH = 131_072;
const MAX_UNIT_BYTES = 3;
const MAX_PENDING_ENTRIES = 64;
const FLUSH_INTERVAL = 1_000;

const MAX_RECENT_LINES = 500;

export interface ServeLogs {
  readonly log: Logger;
  /** Writes a line for a request without pino, which takes longer. */
  readonly logAccess: (entry: AccessLogEntry) => void;
  readonly countLost: () => number;
  /** The last lines of the log in JSON, without those of requests; the latest first. */
  readonly listLines: () => readonly string[];
  readonly configure: (config: LogSettings) => void;
}

type LogSettings = Pick<Config, 'log' | 'logLevel'>;

/** A log that can't be written doesn't end the gateway. @param output a path. @default standard output */
export function createServeLogs(
  config: LogSettings,
  { writeErr }: Pick<CommandIo, 'writeErr'>,
  output = '',
): ServeLogs {
  const target = output === '' ? STANDARD_OUTPUT : output;
  const isTerminal = target === STANDARD_OUTPUT && process.stdout.isTTY === true;
  const ofTerminal = isTerminal ? 'text' : 'json';
  const hasColours = isTerminal && allowsColours(process.env);
  const lines = new LogOutput(target, createLineFormat(ofTerminal, hasColours), writeErr);
  process.once('exit', () => lines.end());
  const recent = new Recent<string>(MAX_RECENT_LINES);
  const write = (line: string): void => {
    recent.add(line);
    lines.write(line);
  };
  const events = { write, flush: lines.flush.bind(lines) };
  const log = pino({ base: null }, events);
  let logAccess: ServeLogs['logAccess'] = () => {};
  const configure: ServeLogs['configure'] = ({ log: format = ofTerminal, logLevel }) => {
    lines.use(createLineFormat(format, hasColours));
    log.level = logLevel;
    logAccess = log.isLevelEnabled('info') ? (entry) => lines.writeEntry(entry) : () => {};
  };
  configure(config);
  return {
    log,
    logAccess: (entry) => logAccess(entry),
    countLost: () => lines.lost,
    listLines: () => recent.list(),
    configure,
  };
}

const RETRY_INTERVAL = 5;
const FINAL_FLUSH_TIMEOUT = 1_000;
const NOT_READY = new Set(['EAGAIN', 'EBUSY']);

/** Writes chunks in order. Repeats a failed one, or drops it if the pipe's reader is gone. */
class LogOutput {
  readonly #writeErr: (text: string) => void;
  readonly #fd: number;
  #format: LineFormat;
  /** Lines are encoded at once: joining them as texts and encoding later takes three times as long. */
  #chunk = Buffer.allocUnsafeSlow(CHUNK_LENGTH);
  #used = 0;
  lost = 0;
  #entries: AccessLogEntry[] = [];
  #textLength = 0;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  /** Whether a background write is running, or waits to be repeated. */
  #isWriting = false;
  #inFlight = 0;
  /** Whether chunks are only queued: a background write might not finish before the process ends. */
  #isEnding = false;
  #isFailing = false;
  #isDropping = false;
  #isClosed = false;
  #flushed: ((error?: Error) => void)[] = [];

  /** @param writeErr receives the first failure, and the first one after a successful write */
  constructor(target: string | number, format: LineFormat, writeErr: (text: string) => void) {
    this.#fd = typeof target === 'string' ? openSync(target, 'a') : target;
    this.#format = format;
    this.#writeErr = writeErr;
    setInterval(() => this.#queueAll(), FLUSH_INTERVAL).unref();
  }

  use(format: LineFormat): void {
    this.#formatEntries();
    this.#format = format;
  }

  write(line: string): void {
    this.#formatEntries();
    this.#append(this.#format.formatEvent(line));
  }

  writeEntry(entry: AccessLogEntry): void {
    const { host, path, referer = '', userAgent = '' } = entry;
    this.#textLength += path.length + host.length + userAgent.length + referer.length;
    if (this.#entries.push(entry) >= MAX_PENDING_ENTRIES || this.#textLength >= CHUNK_LENGTH)
      this.#formatEntries();
  }

  /** Calls `done` when everything is written, or with the error of the next failed write. */
  flush(done: (error?: Error) => void = () => {}): void {
    this.#queueAll();
    this.#flushed.push(done);
    this.#writeNext();
  }

  /** Writes the rest synchronously, within {@link FINAL_FLUSH_TIMEOUT}. */
  end(): void {
    this.#isEnding = true;
    this.#queueAll();
    this.#removeWritten(this.#inFlight);
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

  #formatEntries(): void {
    for (const entry of this.#entries) this.#append(this.#format.formatEntry(entry));
    this.#entries = [];
    this.#textLength = 0;
  }

  #append(line: string): void {
    if (this.#used + line.length * MAX_UNIT_BYTES > CHUNK_LENGTH) this.#queueText();
    if (line.length * MAX_UNIT_BYTES > CHUNK_LENGTH) this.#queueChunk(Buffer.from(line));
    else this.#used += this.#chunk.write(line, this.#used);
  }

  #queueAll(): void {
    this.#formatEntries();
    this.#queueText();
  }

  #queueText(): void {
    if (this.#used === 0) return;
    const chunk = this.#chunk.subarray(0, this.#used);
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK_LENGTH);
    this.#used = 0;
    this.#queueChunk(chunk);
  }

  #queueChunk(chunk: Uint8Array): void {
    if (this.#isClosed) {
      this.#drop([chunk]);
      return;
    }
    if (this.#queuedBytes + chunk.byteLength > MAX_QUEUED_BYTES) {
      if (!this.#isDropping) this.#writeErr('waygate: the log output is too slow: lines are lost\n');
      this.#isDropping = true;
      this.#drop([chunk]);
    } else {
      this.#queue.push(chunk);
      this.#queuedBytes += chunk.byteLength;
    }
    this.#writeNext();
  }

  #drop(chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) for (const byte of chunk) if (byte === LINE_FEED) this.lost += 1;
  }

  #writeNext(): void {
    if (this.#isWriting || this.#isEnding) return;
    if (this.#queue.length === 0) {
      this.#settle();
      return;
    }
    this.#isWriting = true;
    this.#inFlight = this.#queuedBytes;
    // Writes all chunks: a write ends in a later turn, and a busy turn can fill several chunks.
    writev(this.#fd, [...this.#queue], (error, written) => {
      this.#inFlight = 0;
      if (error !== null && isNotReady(error)) {
        // The timer must not keep the process alive.
        setTimeout(() => {
          this.#isWriting = false;
          this.#writeNext();
        }, RETRY_INTERVAL).unref();
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

  #fail(error: NodeJS.ErrnoException): void {
    if (!this.#isFailing) this.#writeErr(`waygate: the log cannot be written: ${error.message}\n`);
    this.#isFailing = true;
    if (error.code === 'EPIPE') {
      this.#isClosed = true;
      this.#drop(this.#queue);
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
    this.#queuedBytes -= length;
    let left = length;
    while (left > 0) {
      const chunk = this.#queue.shift();
      if (chunk === undefined) return;
      if (left < chunk.byteLength) this.#queue.unshift(chunk.subarray(left));
      left -= chunk.byteLength;
    }
  }
}

const LINE_FEED = 10;
const EMPTY = new Uint8Array();
/** Never notified: `Atomics.wait` on it sleeps. */
const SLEEP = new Int32Array(new SharedArrayBuffer(4));

function isNotReady(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_READY.has(String(error.code));
}

import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { memoizeByString } from '../memoize.ts';
import type { AccessEntry } from '../node/index.ts';
import type { Io } from './io.ts';

/** Bytes that wait to be written; what comes when there are as many is lost. */
const WAITING = 1024 * 1024;
/** Bytes that are written as soon as they are handed over; of 0 it would not be said when they have been. */
const SOON = 1;
/** Code units of lines that go out together, about. */
const TOGETHER = 49_152;
/** Requests that become lines together: some 64 KiB. */
const REQUESTS = 256;
/** After so many milliseconds they go out however few they are. */
const LATEST = 1_000;

const INFO = pino.levels.values['info'];

export interface Logs {
  readonly log: Logger;
  /** A line of the same log for each request, made without pino. */
  readonly access: (entry: AccessEntry) => void;
}

type Destination = ReturnType<typeof pino.destination>;

/**
 * A line a request is a system call a request, so lines are collected: they go out when 48 KiB are together,
 * after a second, and at the end, however that comes.
 *
 * A log that cannot be written, on a full disk above all, ends no gateway: it is tried again with the next lines.
 *
 * @param file the log's own path. @default standard output
 */
export function createLog(level: Config['logLevel'], { err }: Pick<Io, 'err'>, file?: string): Logs {
  const destination = pino.destination({
    ...(file === undefined ? {} : { dest: file }),
    minLength: SOON,
    maxLength: WAITING,
    sync: false,
    contentMode: 'buffer',
  });
  let failing = false;
  let dropping = false;
  destination.on('drop', () => {
    if (!dropping) err('waygate: the log is not taken as fast as it comes: lines are lost\n');
    dropping = true;
  });
  destination.on('drain', () => {
    dropping = false;
  });
  const lines = new Lines(destination);
  const flushSync = destination.flushSync.bind(destination);
  destination.on('error', (fault: Error) => {
    if (!failing) err(`waygate: the log cannot be written: ${fault.message}\n`);
    failing = true;
  });
  destination.on('write', () => {
    failing = false;
  });
  // Called at the end of the process, where it would try for ever what cannot be written.
  destination.flushSync = () => {
    // A write that begins in the background now might not end before the process does.
    Object.assign(destination, { minLength: WAITING });
    lines.pass();
    if (!failing) flushSync();
    Object.assign(destination, { minLength: SOON });
  };
  const log = pino({ level, base: null }, lines);
  return { log, access: log.isLevelEnabled('info') ? (entry) => lines.request(entry) : () => {} };
}

/**
 * Collects lines as one text. The destination could do so too, but measures all that it has collected again with each
 * line. Requests become lines together: one after the other they are made in half the time.
 */
class Lines {
  readonly #destination: Destination;
  #text = '';
  #requests: AccessEntry[] = [];
  /** Of their paths: callers say how long those are, and what is handed over at once is lost at once. */
  #length = 0;

  constructor(destination: Destination) {
    this.#destination = destination;
    setInterval(() => this.pass(), LATEST).unref();
  }

  write(line: string): void {
    this.#writeRequests();
    this.#add(line);
  }

  request(entry: AccessEntry): void {
    this.#length += entry.path.length;
    if (this.#requests.push(entry) >= REQUESTS || this.#length >= TOGETHER) this.pass();
  }

  flush(done?: (error?: Error | null) => void): void {
    this.pass();
    this.#destination.flush(done);
  }

  /** …to the destination. */
  pass(): void {
    this.#writeRequests();
    this.#handOver();
  }

  #writeRequests(): void {
    for (const entry of this.#requests) {
      this.#add(lineOf(entry));
    }
    this.#requests = [];
    this.#length = 0;
  }

  #add(line: string): void {
    this.#text += line;
    if (this.#text.length >= TOGETHER) this.#handOver();
  }

  #handOver(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    // Of bytes, which it takes where it was told so, it makes no copies. Its types know texts alone.
    this.#destination.write(Buffer.from(text) as unknown as string);
  }
}

const quoted = memoizeByString((text) => JSON.stringify(text));

/** As pino would write it, in a third of the time. */
function lineOf(entry: AccessEntry): string {
  const { cause, client, duration, failure, method = '', mount, operation, path, requestId, route } = entry;
  const failed =
    failure === undefined ? '' : `,"failure":"${failure}","cause":${JSON.stringify(cause ?? null)}`;
  return (
    `{"level":${INFO},"time":${entry.time},"requestId":"${requestId}","client":${quoted(client)}` +
    `,"method":${quoted(method)},"path":${JSON.stringify(path)},"mount":${quoted(mount)}` +
    `,"route":${orNull(route)},"operation":${orNull(operation)}` +
    `,"status":${entry.status},"duration":${duration}${failed},"msg":"request"}\n`
  );
}

function orNull(text: string | null): string {
  return text === null ? 'null' : quoted(text);
}

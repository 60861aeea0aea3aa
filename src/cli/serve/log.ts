import { openSync, writeSync, writev } from 'node:fs';
import { type Logger, pino } from 'pino';
import { memoizeByString } from '../../base/memoize.ts';
import type { Config } from '../../base/option-types.ts';
import type { AccessLogEntry } from '../../gateway/node/index.ts';
import { maskQuery, Recent } from '../../gateway/site/traffic/site-recorder.ts';
import { type CommandIo, escapeControlCharacters } from '../io.ts';
import { allowsColours, paint } from '../terminal.ts';

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

type LogFormat = NonNullable<Config['log']>;

/** Lines end with a line feed, and have no character that controls a terminal. */
interface LineFormat {
  formatEntry(entry: AccessLogEntry): string;
  /** @param line as pino writes it, in JSON */
  formatEvent(line: string): string;
}

/** @internal Tests read single lines. */
export function createLineFormat(format: LogFormat, hasColours = false): LineFormat {
  if (format === 'json') return { formatEntry: formatJson, formatEvent: escapeControlCharacters };
  return {
    formatEntry: (entry) => formatText(entry, hasColours),
    formatEvent: (line) => formatEventText(JSON.parse(line)),
  };
}

type Fields = Readonly<Record<string, unknown>>;

const INFO = 30;

const PLAIN = /^[ !#-[\]-~]*$/;

/** A JSON string in which no character controls a terminal. */
const quote = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : escapeControlCharacters(JSON.stringify(text));
const quoteKnown = memoizeByString(quote);
const quoteOrNull = (text: string | null): string => (text === null ? 'null' : quoteKnown(text));

function formatJson(entry: AccessLogEntry): string {
  const { cause, cacheStatus, client, failure, method = '', operation, path, route, site } = entry;
  let text =
    `{"level":${INFO},"time":${entry.time},"requestId":"${entry.requestId}","client":${quoteKnown(client)}` +
    `,"method":${quoteKnown(method)},"path":${quote(path)},"site":${quoteOrNull(site)}` +
    `,"route":${quoteOrNull(route)},"operation":${quoteOrNull(operation)}` +
    `,"status":${entry.status},"duration":${entry.duration},"host":${quoteKnown(entry.host)}` +
    `,"userAgent":${quoteKnown(entry.userAgent ?? '')},"protocol":"HTTP/${entry.httpVersion}","cache":"${entry.cache}"`;
  if (cacheStatus !== undefined) text += `,"cacheStatus":${quote(cacheStatus)}`;
  if (entry.bytes !== null) text += `,"bytes":${entry.bytes}`;
  if (entry.validation !== undefined) text += `,"validation":"${entry.validation}"`;
  if (entry.refusal !== undefined) text += `,"refusal":${quoteKnown(entry.refusal)}`;
  if (entry.siteDuration !== undefined) text += `,"siteDuration":${entry.siteDuration}`;
  if (entry.siteWords !== undefined) text += `,"siteWords":${quote(entry.siteWords)}`;
  if (entry.traceId !== undefined) text += `,"traceId":"${entry.traceId}"`;
  if (entry.end !== 'complete') text += `,"end":"${entry.end}","sent":${entry.sent}`;
  if (failure !== undefined) text += `,"failure":"${failure}"`;
  if (failure !== undefined || cause !== undefined)
    text += `,"cause":${cause === undefined ? 'null' : quote(cause)}`;
  if (entry.referer !== undefined) text += `,"referer":${quote(entry.referer)}`;
  return `${text},"msg":"request"}\n`;
}

/** Names of pino's severities 10, 20, …. */
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

function quoteValue(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /^[!#-<>-[\]-~]+$/.test(text) ? text : quote(text);
}

const formatTime = (time: unknown): string => new Date(Number(time)).toTimeString().slice(0, 8);

/** For people, in columns: `12:00:01 200 GET     hit       1.2 ms   10 kB d3k2-7      /path?page=2`. */
function formatText(entry: AccessLogEntry, hasColours: boolean): string {
  const { bytes, cache, cause, duration, end, failure, method = '', path, query = '', requestId } = entry;
  const { status, time } = entry;
  const size = bytes === null ? '' : bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`;
  const outcome = (cache === 'none' ? '' : cache).padEnd(6);
  const ended = end === 'complete' ? '' : ` ended by the ${end}`;
  const reason = [failure, cause].filter((each) => each !== undefined).join(': ');
  const amounts = `${`${duration} ms`.padStart(10)} ${size.padStart(8)}`;
  // `?page=2&s=…`
  const shownQuery =
    query === '' ? '' : `?${maskQuery(query.slice(1, MAX_QUERY), (name) => SHOWN_PARAMETERS.test(name))}`;
  const rest = `${method.padEnd(7)} ${outcome} ${amounts} ${requestId.padEnd(11)} ${path}${shownQuery}${ended}${reason && ` ${reason}`}`;
  const colour = STATUS_COLOURS[Math.floor(status / 100)] ?? 39;
  const shown = hasColours ? paint(String(status), colour) : status;
  return `${formatTime(time)} ${shown} ${escapeControlCharacters(rest.replaceAll('\n', ' '))}\n`;
}

/** By class of status (ECMA-48, SGR): green, cyan, yellow, red. */
const STATUS_COLOURS: readonly number[] = [39, 39, 32, 36, 33, 31];

/** Arguments of WordPress's lists, none of which is secret. */
const SHOWN_PARAMETERS =
  /^(?:page|per_page|offset|order|orderby|context|_fields|_embed|rest_route|p|page_id|cat|tag|paged|status|slug|include|exclude|parent|categories|tags|author|post|ver)(?:%5B|\[|$)/i;

const MAX_QUERY = 500;

/** `12:00:01 WARN message, site=shop` */
function formatEventText({ err, level, msg, time, ...fields }: Fields): string {
  const reason =
    typeof err === 'object' && err !== null && 'message' in err ? String(err.message) : undefined;
  const all = {
    ...fields,
    ...(reason === undefined || String(msg).includes(reason) ? {} : { error: reason }),
  };
  const pairs = Object.entries(all).map(([name, value]) => ` ${name}=${quoteValue(value)}`);
  const line = `${formatTime(time)} ${LEVELS[Number(level) / 10 - 1]} ${String(msg ?? '')}${pairs.join('')}`;
  return `${escapeControlCharacters(line.replaceAll('\n', ' '))}\n`;
}

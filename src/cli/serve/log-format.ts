import { memoizeByString } from '../../base/memoize.ts';
import type { Config } from '../../base/option-types.ts';
import type { AccessLogEntry } from '../../gateway/node/index.ts';
import { maskQuery } from '../../gateway/site/traffic/site-recorder.ts';
import { escapeControlCharacters } from '../io.ts';
import { paint } from '../terminal.ts';

type LogFormat = NonNullable<Config['log']>;

/** Lines end with a line feed, and have no character that controls a terminal. */
export interface LineFormat {
  formatEntry(entry: AccessLogEntry): string;
  /** @param line as pino writes it, in JSON */
  formatEvent(line: string): string;
}

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
  if (entry.traceId !== undefined) text += `,"traceId":"${entry.traceId}"`;
  if (entry.end !== 'complete') text += `,"end":"${entry.end}","sent":${entry.sent}`;
  if (failure !== undefined)
    text += `,"failure":"${failure}","cause":${cause === undefined ? 'null' : quote(cause)}`;
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
  const reason = failure === undefined ? '' : ` ${failure}${cause === undefined ? '' : `: ${cause}`}`;
  const amounts = `${`${duration} ms`.padStart(10)} ${size.padStart(8)}`;
  // `?page=2&s=…`
  const shownQuery =
    query === '' ? '' : `?${maskQuery(query.slice(1, MAX_QUERY), (name) => SHOWN_PARAMETERS.test(name))}`;
  const rest = `${method.padEnd(7)} ${outcome} ${amounts} ${requestId.padEnd(11)} ${path}${shownQuery}${ended}${reason}`;
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

import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import type { ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue } from '../../base/http/fields.ts';
import { decodeEntities, shorten, toPlainText } from '../../base/text.ts';

/** Bytes of a failed response that are read for its words, and of what a compressed one becomes. */
const MAX_READ = 8 * 1024;
const MAX_DECODED = 64 * 1024;
const MAX_WORDS = 200;

/** Statuses of the site that are not its fault, and can be any number: crawlers ask for what is gone. */
const NOT_READ: ReadonlySet<number> = new Set([404, 410]);

/** @param head of a response with an error status */
export function hasWords({ status }: ResponseHead): boolean {
  return !NOT_READ.has(status);
}

/** What a failed response of the site says itself: its first words, and who has answered. */
export class ResponseWords {
  readonly #head: ResponseHead;
  readonly #chunks: Uint8Array[] = [];
  #left = MAX_READ;

  constructor(head: ResponseHead) {
    this.#head = head;
  }

  add(chunk: Uint8Array): void {
    if (this.#left === 0) return;
    const part = chunk.slice(0, this.#left);
    this.#left -= part.byteLength;
    this.#chunks.push(part);
  }

  /** `500 "Error establishing a database connection" (text/html, Server: nginx)` */
  toString(): string {
    const { headers, status } = this.#head;
    const type = fieldValue(headers, 'content-type')?.split(';', 1)[0] ?? '';
    const stated = ['Retry-After', 'Cf-Mitigated', 'Server'].flatMap((name) => {
      const value = fieldValue(headers, name.toLowerCase());
      return value === undefined ? [] : [`${name}: ${toPlainText(value, 40)}`];
    });
    const about = [toPlainText(type, 40), ...stated].filter((text) => text !== '').join(', ');
    const words = hideSecrets(findWords(status, type, this.#read()));
    return `${status}${words === '' ? '' : ` "${words}"`}${about === '' ? '' : ` (${about})`}`;
  }

  #read(): string {
    const bytes = Buffer.concat(this.#chunks);
    const coding = fieldValue(this.#head.headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
    const decode = DECODERS[coding];
    if (coding === 'identity') return bytes.toString();
    try {
      return decode?.(bytes).toString() ?? '';
    } catch {
      return '';
    }
  }
}

/** Of the beginning of a body. More than the bound is an error. */
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, ZLIB),
  deflate: (bytes) => inflateSync(bytes, ZLIB),
  br: (bytes) =>
    brotliDecompressSync(bytes, {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
      maxOutputLength: MAX_DECODED,
    }),
};
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_DECODED };

function findWords(status: number, type: string, body: string): string {
  if (/[/+]json$/i.test(type.trim())) {
    // The message of a refusal repeats what the client has sent.
    if (status < 500) return /"code"\s*:\s*"([\w.-]{1,100})"/.exec(body)?.[1] ?? '';
    const [, message] = /"(?:message|detail|error)"\s*:\s*"((?:[^"\\]|\\.){1,2000})/.exec(body) ?? [];
    return message === undefined ? '' : toLine(unescapeJson(message));
  }
  if (!/<(?:html|head|body|title|h1|p)\b/i.test(body)) return toLine(body);
  const [, title = ''] = /<title\b[^>]*>([^<]{0,500})/i.exec(body) ?? [];
  const shown = body.replace(/<(script|style|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ');
  const [name, text] = [toLine(title), toLine(shown)];
  return text.startsWith(name) ? text : shorten(text === '' ? name : `${name}: ${text}`, MAX_WORDS);
}

function toLine(html: string): string {
  const text = decodeEntities(html.replace(/<[^>]*>?/g, ' '));
  return shorten(text.replace(/\s+/g, ' ').trim(), MAX_WORDS);
}

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

/** Values after a name such as `password`, users in addresses, and long runs of letters and digits, which can be tokens. */
function hideSecrets(text: string): string {
  return text
    .replace(/\/\/[^\s/@]*@/g, '//')
    .replace(
      /\b([\w-]*(?:pass(?:word)?|secret|token|key|nonce|auth(?:orization)?|cookie))(["']?\s*[:=]\s*)\S+/gi,
      '$1$2…',
    )
    .replace(/(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])[\w+/=-]{24,}/gi, '…');
}

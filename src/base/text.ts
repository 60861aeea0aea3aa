import type { Json } from './json.ts';

/** Tags of descriptions. Other text between angle brackets is kept: `a < b`. */
const TAGS =
  /<\/?(?:a|abbr|b|br|code|dd|div|dl|dt|em|h[1-6]|i|img|kbd|li|ol|p|pre|small|span|strong|sub|sup|table|tbody|td|th|tr|u|ul)(?:[\s/][^<>]{0,500})?>/gi;

/** Controls except line feeds, characters that change the direction of text, halves of surrogate pairs. */
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu;

const BLOCKS = /^<\/?(?:br|d|h|li|ol|p|t|ul)/i;

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&', shy: '', hellip: '…' },
    ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»' },
  }),
);

export function decodeEntities(html: string): string {
  return html.replace(ENTITY, (entity, decimal?: string, hexadecimal?: string, name = '') => {
    if (name !== '') return ENTITIES.get(name) ?? entity;
    const code = Number(decimal ?? `0x${hexadecimal}`);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  });
}

const MAX_TEXT_LENGTH = 4_000;

/** Plain text of bounded length, which pages escape like any other. */
export function toPlainText(value: Json | undefined, maxLength: number = MAX_TEXT_LENGTH): string {
  if (typeof value !== 'string' || value === '') return '';
  const html = value.slice(0, 2 * maxLength).replace(TAGS, (tag) => (BLOCKS.test(tag) ? '\n' : ''));
  const text = decodeEntities(html).replace(CONTROLS, ' ').trim();
  return shorten(text, maxLength);
}

export function shorten(text: string, maxLength: number): string {
  const cut =
    text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
  return cut.replace(CONTROLS, ' ');
}

export function hasControls(text: string): boolean {
  return text.search(CONTROLS) >= 0;
}

export function toValueText(value: Json): string {
  return shorten(serialize(value, 4).replace(CONTROLS, ' '), 160);
}

/** `JSON.stringify` overflows the stack on deep values, and takes long for large ones. */
function serialize(value: Json, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 2_000));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth === 0) return '…';
  if (Array.isArray(value)) {
    return `[${value
      .slice(0, 50)
      .map((item: Json) => serialize(item, depth - 1))
      .join(', ')}]`;
  }
  const members = Object.entries(value).slice(0, 50);
  return `{${members.map(([name, item]) => `${JSON.stringify(name.slice(0, 200))}: ${serialize(item, depth - 1)}`).join(', ')}}`;
}

const METHODS_WITH_COLOUR: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

export function toMethodClass(method: string): string {
  return `method method-${METHODS_WITH_COLOUR.has(method) ? method.toLowerCase() : 'other'}`;
}

/** Escapes a text to one line of Markdown without markup or HTML. */
export function toMarkdownText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|#~]|^[-+=]|(?<=^\d{1,9})[.)](?= |$)/g, '\\$&');
}

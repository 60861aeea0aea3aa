import type { Json } from './json.ts';

/** Texts that people read: of descriptions in HTML, in Markdown, and of numbers with their units. */

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
    ...{
      ndash: '–',
      mdash: '—',
      lsquo: '‘',
      rsquo: '’',
      ldquo: '“',
      rdquo: '”',
      laquo: '«',
      raquo: '»',
      lsaquo: '‹',
      rsaquo: '›',
    },
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

export function formatNumber(value: number): string {
  // `Intl` loads its data for tens of milliseconds.
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Prevents a line break between a number and its unit. */
const SPACE = '\u00a0';

const NONE = '–';

export function withUnit(value: number | string, unit: string): string {
  return `${value}${SPACE}${unit}`;
}

/** E.g. `0.8 ms`, `120 ms`, `2.4 s`. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null) return NONE;
  if (milliseconds < 10) return withUnit(trimZero(milliseconds.toFixed(1)), 'ms');
  if (milliseconds < 1_000) return withUnit(Math.round(milliseconds), 'ms');
  return withUnit(trimZero((milliseconds / 1_000).toFixed(1)), 's');
}

export function formatRate(perMinute: number): string {
  return `${perMinute < 10 ? trimZero(perMinute.toFixed(1)) : formatNumber(Math.round(perMinute))}/min`;
}

export function formatShare(share: number | null): string {
  if (share !== null && share > 0 && share < 0.000_5) return withUnit('<0.1', '%');
  return share === null ? NONE : withUnit((100 * share).toFixed(1), '%');
}

function trimZero(text: string): string {
  return text.replace(/\.0$/, '');
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = bytes < 1_024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** power;
  return withUnit(value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1), units[power] ?? '');
}

export function formatSeconds(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 120) return withUnit(rounded, 's');
  if (rounded < 7_200) return withUnit(Math.round(rounded / 60), 'min');
  if (rounded < 172_800) return withUnit(Math.round(rounded / 3_600), 'h');
  return withUnit(Math.round(rounded / 86_400), 'days');
}

/** E.g. `2026-11-21 08:10:23 UTC`. @param time milliseconds since the epoch */
export function formatUtc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

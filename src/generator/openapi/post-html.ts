import { parseJson } from '../../base/json.ts';
import TABLE from '../model/conventions/operation-classes.json' with { type: 'json' };

const split = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const ELEMENTS = split(TABLE.html.elements);
const ATTRIBUTES = split(TABLE.html.attributes);
/** Attributes whose addresses a browser loads. */
const LOADED = split(TABLE.html.loaded);
const BLOCKS = split(TABLE.html.blocks);
const STYLES = new RegExp(`^(?!.*(?:url|image))(?:${TABLE.html.styles})$`);

/** Where HTML begins something that is no text, e.g. `<p`, `</p`, `<!--` or `<?php`. */
const MARKUP = /<[a-z/!?]/gi;
const COMMENT = /<!--([^<>]*)-->/y;
const BLOCK = /^\s+\/?wp:([a-z][\w-]*(?:\/[a-z][\w-]*)?)(?:\s+(\{.*\}))?\s+\/?$/s;
const END_TAG = /<\/([a-z][a-z\d]*)\s*>/iy;
const TAG = /<([a-z][a-z\d]*)((?:[^<>"']|"[^"<>]*"|'[^'<>]*')*)>/iy;
const ATTRIBUTE = / ([a-z][a-z\d:-]*)(?: ?= ?(?:"([^"]*)"|'([^']*)'|([^ "'=`]+)))?(?= |$|\/ ?$)/gi;
const CANDIDATE = /^\s*(\S+)(?:\s+[\d.]+[wx])?\s*$/;

/**
 * Lists the pieces of HTML that are more than the formatting of a post: what isn't on the list of elements, attributes and blocks, such as
 * `<svg/onload=alert(1)>`, and what loads a file of another server.
 */
export function findUnknownHtml(html: string, isForeign: (host: string) => boolean): readonly string[] {
  const found: string[] = [];
  for (const { index } of html.matchAll(MARKUP)) {
    const [piece, isKnown] = readPiece(html, index, isForeign);
    if (!isKnown) found.push(piece);
  }
  return found;
}

function readPiece(html: string, at: number, isForeign: (host: string) => boolean): [string, boolean] {
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(html);
  };
  const comment = read(COMMENT);
  if (comment !== null) return [comment[0], isKnownComment(comment[1] ?? '', isForeign)];
  const end = read(END_TAG);
  if (end !== null) return [end[0], ELEMENTS.has((end[1] ?? '').toLowerCase())];
  const tag = read(TAG);
  if (tag === null) return [html.slice(at, at + 200), false];
  const [piece, name = '', attributes = ''] = tag;
  return [piece, ELEMENTS.has(name.toLowerCase()) && areKnownAttributes(attributes, isForeign)];
}

/** A comment of the editor says which block follows, with the block's attributes. */
function isKnownComment(text: string, isForeign: (host: string) => boolean): boolean {
  if (!/^\s*\/?wp:/.test(text)) return true;
  const [, name = '', attributes = ''] = BLOCK.exec(text) ?? [];
  const values = parseJson(attributes || '{}');
  if (!BLOCKS.has(name) || values === undefined) return false;
  const addresses = JSON.stringify(values).matchAll(/[/\\]{2,}([^/\\"\s]+)/g);
  return ![...addresses].some(([, host = '']) => isForeign(host));
}

function areKnownAttributes(attributes: string, isForeign: (host: string) => boolean): boolean {
  let isKnown = true;
  const rest = attributes
    .replace(/\s+/g, ' ')
    .replace(ATTRIBUTE, (_, declared: string, ...values: (string | undefined)[]) => {
      const value = values.slice(0, 3).find((each) => each !== undefined) ?? '';
      const name = declared.toLowerCase();
      if (LOADED.has(name)) {
        const addresses = name === 'srcset' ? value.split(',') : [value];
        isKnown &&= addresses.every((address) => isOwnAddress(address, isForeign));
      } else if (name === 'href')
        isKnown &&= /^(?:https?:\/\/|mailto:|tel:|[?#/]|[^:]*$)/i.test(readAddress(value));
      else if (name === 'style') isKnown &&= value.split(';').every((each) => STYLES.test(each.trim()));
      else isKnown &&= ATTRIBUTES.has(name) || /^aria-[a-z]+$/.test(name);
      return '';
    });
  return isKnown && /^ ?\/? ?$/.test(rest);
}

/** An address as browsers read it; `:` for one that hides what it is. */
function readAddress(value: string): string {
  const address = value.replaceAll('&amp;', '&').replaceAll('&#038;', '&').trim();
  return /[\s\\<>]|[\p{Cc}\p{Cf}]|&#|&\w+;/u.test(address) ? ':' : address;
}

function isOwnAddress(candidate: string, isForeign: (host: string) => boolean): boolean {
  const [, value = ''] = CANDIDATE.exec(candidate) ?? [];
  const [, host, path] = /^(?:(?:https?:)?\/\/([^/?#]+).*|((?!\/\/)[^:]+))$/i.exec(readAddress(value)) ?? [];
  return host === undefined ? path !== undefined : !isForeign(host);
}

import { isJsonObject, type Json, pointerToken } from '../json.ts';

/** A part of a JSONPath query (RFC 9535). */
type Segment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'wildcard' }
  /** `[?@ == 'x']`: members and items that are this text. */
  | { readonly kind: 'equals'; readonly text: string };

/** One step: the children, or (`..`) the children of all that is below. */
interface Step {
  readonly segment: Segment;
  readonly descendants: boolean;
}

/** One place in a document: names and indexes from its root. */
export type JsonLocation = readonly (string | number)[];

/** More places than any document's author means at once. */
const MOST = 100_000;

/**
 * The part of RFC 9535 that addresses places: names, indexes, wildcards, `..`, and the filter `?@ == 'text'`. Slices,
 * unions and other filters are not read.
 *
 * @returns null where the query is none of these
 */
export function readJsonPath(query: string): ((root: Json) => readonly JsonLocation[]) | null {
  const steps = readSteps(query);
  if (steps === null) return null;
  return (root) =>
    steps
      .reduce<readonly Located[]>(
        (places, step) => places.flatMap((place) => take(place, step)),
        [{ location: [], value: root }],
      )
      .map(({ location }) => location);
}

/** The normalized path of a place (RFC 9535 §2.7), with the shorthand for names that have one. */
export function toJsonPath(location: JsonLocation): string {
  return `$${location.map((token) => (typeof token === 'number' ? `[${token}]` : nameText(token))).join('')}`;
}

/** The filter for a text in a list, which goes on to mean it when the list changes. */
export function toListItemPath(list: JsonLocation, text: string): string {
  return `${toJsonPath(list)}[?@ == ${quoted(text)}]`;
}

export function locationText(location: JsonLocation): string {
  return location.map(pointerToken).join('');
}

interface Located {
  readonly location: JsonLocation;
  readonly value: Json;
}

const NAME = /^\.([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)/;
const WILDCARD = /^(?:\.\*|\[\s*\*\s*\])/;
const INDEX = /^\[\s*(0|-?[1-9]\d{0,8})\s*\]/;
const QUOTED = /^\[\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*\]/s;
const EQUALS = /^\[\s*\?\s*(\(?)\s*@\s*==\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*(\)?)\s*\]/s;

function readSteps(query: string): readonly Step[] | null {
  if (!query.startsWith('$')) return null;
  const steps: Step[] = [];
  for (let rest = query.slice(1); rest !== ''; ) {
    const descendants = rest.startsWith('..');
    // `..name` is written without the dot that a name has elsewhere.
    if (descendants) rest = rest[2] === '[' ? rest.slice(2) : rest.slice(1);
    const read = readSegment(rest);
    if (read === null) return null;
    steps.push({ segment: read.segment, descendants });
    rest = rest.slice(read.length);
  }
  return steps;
}

function readSegment(rest: string): { readonly segment: Segment; readonly length: number } | null {
  const wildcard = WILDCARD.exec(rest);
  if (wildcard !== null) return { segment: { kind: 'wildcard' }, length: wildcard[0].length };
  const name = NAME.exec(rest);
  if (name?.[1] !== undefined) return { segment: { kind: 'name', name: name[1] }, length: name[0].length };
  const index = INDEX.exec(rest);
  if (index !== null) return { segment: { kind: 'index', index: Number(index[1]) }, length: index[0].length };
  const given = QUOTED.exec(rest);
  const own = given?.[1] === undefined ? null : unquoted(given[1]);
  if (given !== null && own !== null)
    return { segment: { kind: 'name', name: own }, length: given[0].length };
  const filter = EQUALS.exec(rest);
  const text = filter?.[2] === undefined ? null : unquoted(filter[2]);
  if (filter === null || text === null || (filter[1] === '(') !== (filter[3] === ')')) return null;
  return { segment: { kind: 'equals', text }, length: filter[0].length };
}

function take(place: Located, { segment, descendants }: Step): readonly Located[] {
  return (descendants ? belowAndSelf(place) : [place]).flatMap((each) => children(each, segment));
}

function children({ location, value }: Located, segment: Segment): readonly Located[] {
  const at = (token: string | number, child: Json): Located => ({
    location: [...location, token],
    value: child,
  });
  const all = (): readonly Located[] => {
    if (Array.isArray(value)) return value.map((item: Json, index) => at(index, item));
    return isJsonObject(value) ? Object.entries(value).map(([name, member]) => at(name, member)) : [];
  };
  switch (segment.kind) {
    case 'name': {
      const { name } = segment;
      return isJsonObject(value) && Object.hasOwn(value, name) ? [at(name, value[name] ?? null)] : [];
    }
    case 'index': {
      if (!Array.isArray(value)) return [];
      const index = segment.index < 0 ? value.length + segment.index : segment.index;
      return index >= 0 && index < value.length ? [at(index, value[index] ?? null)] : [];
    }
    case 'wildcard':
      return all();
    case 'equals':
      return all().filter((child) => child.value === segment.text);
  }
}

function belowAndSelf(place: Located): readonly Located[] {
  const found = [place];
  for (let next = 0; next < found.length && found.length < MOST; next += 1) {
    const each = found[next];
    if (each !== undefined) for (const child of children(each, { kind: 'wildcard' })) found.push(child);
  }
  return found;
}

function nameText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${quoted(name)}]`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** RFC 9535 §2.3.1.1: JSON's escapes, and that of the quote. */
function unquoted(literal: string): string | null {
  const text = literal.slice(1, -1).replace(/\\(.)|"/gs, (whole, escaped: string | undefined) => {
    if (escaped === undefined) return '\\"';
    return escaped === "'" ? "'" : whole;
  });
  try {
    const read: unknown = JSON.parse(`"${text}"`);
    return typeof read === 'string' ? read : null;
  } catch {
    return null;
  }
}

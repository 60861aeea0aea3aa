import { omitUndefined } from '../omit-undefined.ts';
import {
  ANYTHING,
  childrenOf,
  EMPTY_SEQUENCE,
  type GroupNeighbours,
  getOccurrence,
  getSourceText,
  isCharacter,
  isNullable,
  isolateGroup,
  type Occurrence,
  type PcreNode,
  QUESTION_MARK,
  SLASH,
} from '../pcre/ast.ts';
import { complementCharSet, countCharacters, isSameCharSet, MAX_BYTE } from '../pcre/charset.ts';
import { extractLiteralPrefix } from '../pcre/matcher.ts';
import { parseRoutePattern } from '../pcre/parser.ts';
import { toEcmaPattern } from '../pcre/to-ecma.ts';
import { escapeByte } from '../php/encoding.ts';
import { trimTrailingSlashes } from '../php/request.ts';
import { UniqueNames } from '../unique-names.ts';

export interface RouteExpansion {
  /** `false`: not supported, or PCRE rejects it. */
  readonly ok: boolean;
  /** Whether PCRE rejects the pattern, so the site never runs the route. */
  readonly isUnreachable: boolean;
  readonly variants: readonly RouteVariant[];
  /** Lower case, without a full stop. */
  readonly notes: readonly string[];
}

export interface RouteVariant {
  readonly template: string;
  readonly parameters: readonly RouteParameter[];
}

/** Expands a route pattern into paths. An unreadable pattern becomes its literal prefix and a parameter. */
export function expandRoute(pattern: string): RouteExpansion {
  const parsed = parseRoutePattern(pattern);
  if (!parsed.ok) {
    // The parser counts the `^` that WordPress puts before the pattern.
    const note = `the pattern cannot be read (${parsed.message}, at ${parsed.offset - 1})`;
    const variants = [fallbackVariant(pattern)];
    return { ok: false, isUnreachable: parsed.reason === 'invalid', variants, notes: [note] };
  }
  const { rejectionReason, root, source } = parsed;
  const notes = new Set<string>();
  const paths = expandToPaths(root, notes);
  const isUnreachable = rejectionReason !== undefined;
  if (paths.flat().filter(({ kind }) => kind === 'value').length > MAX_PARAMETERS) {
    const note = `its paths have more than ${MAX_PARAMETERS} parameters`;
    return { ok: false, isUnreachable, variants: [fallbackVariant(pattern)], notes: [note] };
  }
  if (root.kind === 'alternation')
    notes.add('the anchors do not apply to a top-level alternative: the site matches more than these paths');
  if (paths.flat().some((piece) => piece.kind === 'text' && /%/.test(encodeTemplateText(piece.bytes))))
    notes.add('the site does not decode a path: it finds this route as `?rest_route=` only');
  const listed = distinctTemplates(paths.map((path) => toVariant(path, source, notes)));
  const variants = withoutAdjacentParameters(listed, notes);
  if (isUnreachable)
    notes.add(`the site cannot compile the pattern (${rejectionReason}) and never handles the route`);
  return { ok: !isUnreachable, isUnreachable, variants, notes: [...notes] };
}

function distinctTemplates(variants: readonly RouteVariant[]): readonly RouteVariant[] {
  const seen = new Set<string>();
  return variants.filter(({ template }) => !seen.has(template) && seen.add(template));
}

/** Removes `/{id}{field}` beside `/{id}/{field}`: the site would read such a request as `/{id}`. */
function withoutAdjacentParameters(
  variants: readonly RouteVariant[],
  notes: Set<string>,
): readonly RouteVariant[] {
  const adjacent = new Set<string>();
  for (const { template } of variants) {
    for (const { index } of template.matchAll(/(?<=\})\/(?=\{)/g)) {
      adjacent.add(template.slice(0, index) + template.slice(index + 1));
    }
  }
  const kept = variants.filter(({ template }) => !adjacent.has(template));
  if (kept.length < variants.length)
    notes.add('the path without the optional slash between two parameters is not listed');
  return kept;
}

function toVariant(path: ExpandedPath, routePattern: string, notes: Set<string>): RouteVariant {
  const parameters: RouteParameter[] = [];
  const names = new UniqueNames([], { separator: '_' });
  let template = '';
  for (const [i, piece] of path.entries()) {
    if (piece.kind === 'text') {
      template += encodeTemplateText(piece.bytes);
      continue;
    }
    const name = names.claim(piece.name ?? 'segment');
    if (piece.name !== undefined && name !== piece.name)
      notes.add(`the name ${piece.name} occurs twice in one path`);
    const before = path[i - 1];
    const after = path[i + 1];
    const neighbours: GroupNeighbours = {
      precedingCharacter: before?.kind === 'text' && before.bytes.at(-1) === 0x2f ? 'slash' : 'other',
      followingCharacter:
        after === undefined ? 'end' : after.kind === 'text' && after.bytes[0] === 0x2f ? 'slash' : 'other',
    };
    const { name: groupName, node } = piece;
    parameters.push(createRouteParameter({ name, groupName, node, routePattern, neighbours }));
    template += `{${name}}`;
  }
  return { template: trimTemplate(template), parameters };
}

function fallbackVariant(pattern: string): RouteVariant {
  const { text, groupName } = extractLiteralPrefix(pattern);
  const anything: PcreNode = { kind: 'widened', what: 'a pattern that cannot be read', body: ANYTHING };
  const neighbours: GroupNeighbours = { precedingCharacter: 'slash', followingCharacter: 'end' };
  const parameter = createRouteParameter({
    name: groupName ?? 'segment',
    groupName,
    node: anything,
    routePattern: pattern,
    neighbours,
  });
  return { template: `${text}{${parameter.name}}`, parameters: [{ ...parameter, pcre: pattern }] };
}

function encodeTemplateText(bytes: readonly number[]): string {
  // RFC 3986 §3.3, pchar, without the percent sign.
  return String.fromCharCode(...bytes).replace(/[^\w.~!$&'()*+,;=:@/-]/g, escapeByte);
}

/** WordPress trims slashes from the requested route. */
function trimTemplate(template: string): string {
  const rooted = template.startsWith('/') ? template : `/${template}`;
  return trimTrailingSlashes(rooted) || '/';
}

/** Literal bytes, or a node whose value varies, with the name of its group. */
type PathPiece =
  | { readonly kind: 'text'; readonly bytes: readonly number[] }
  | { readonly kind: 'value'; readonly name?: string; readonly node: PcreNode };

type ExpandedPath = readonly PathPiece[];

const MAX_PATHS = 16;
/** For all paths together: translating the pattern of one can take milliseconds. */
const MAX_PARAMETERS = 100;
const MAX_OPTIONS = 8;

/** With and without each optional part. @param notes receives what the paths don't express */
function expandToPaths(root: PcreNode, notes: Set<string>): readonly ExpandedPath[] {
  const expanded = new Expander(notes).expand(root).flatMap((path) => withEmptyEnd(mergeNeighbours(path)));
  const requestable = expanded.filter(isRequestable);
  const paths = requestable.length > 0 ? requestable : expanded;
  if (paths.length > MAX_PATHS) notes.add(`only ${MAX_PATHS} of the paths with optional parts are listed`);
  return paths.slice(0, MAX_PATHS);
}

/** A last value that can be empty, e.g. `(?P<path>.*)`, can be absent. */
function withEmptyEnd(path: ExpandedPath): readonly ExpandedPath[] {
  const last = path.at(-1);
  return last?.kind === 'value' && isNullable(last.node) ? [path.slice(0, -1), path] : [path];
}

/** WordPress trims trailing slashes of a request. */
function isRequestable(path: ExpandedPath): boolean {
  const last = path.at(-1);
  if (last?.kind !== 'text' || last.bytes.at(-1) !== SLASH) return true;
  return path.length === 1 && last.bytes.length === 1;
}

const TOO_MANY_NOTE = `not all of the paths with optional parts are listed; the limit is ${MAX_PATHS}`;

/** `.` is every byte except the line feed. */
const DOT = complementCharSet([[10, 10]], MAX_BYTE);

class Expander {
  readonly #notes: Set<string>;

  constructor(notes: Set<string>) {
    this.#notes = notes;
  }

  expand(node: PcreNode): readonly ExpandedPath[] {
    switch (node.kind) {
      case 'set':
        return this.#set(node);
      case 'sequence':
        return this.#sequence(node.items);
      case 'alternation':
        return this.#alternation(node);
      case 'group':
        return this.#group(node);
      case 'repeat':
        return this.#repeat(node);
      case 'assert':
        return [[]];
      case 'widened':
        if (node.body === EMPTY_SEQUENCE)
          this.#notes.add(`${node.what} between the parameters is not shown in the path`);
        if (node.body === ANYTHING) return [[{ kind: 'value', node }]];
        return this.expand(node.body).map((path) =>
          path.map((piece) =>
            piece.kind === 'value' && piece.node === node.body ? { ...piece, node } : piece,
          ),
        );
    }
  }

  #sequence(items: readonly PcreNode[]): readonly ExpandedPath[] {
    let paths: PathPiece[][] = [[]];
    for (const item of items) {
      const tails = this.#limitTails(this.expand(item), item, Math.floor(MAX_PATHS / paths.length));
      const [only] = tails;
      if (only !== undefined && tails.length === 1) for (const path of paths) path.push(...only);
      else paths = paths.flatMap((path) => tails.map((tail) => [...path, ...tail]));
    }
    return paths;
  }

  /** Makes an item without named groups one value. Of others, the alternatives with the most pieces stay. */
  #limitTails(tails: readonly ExpandedPath[], item: PcreNode, maxTails: number): readonly ExpandedPath[] {
    if (tails.length <= Math.max(maxTails, 1)) return tails;
    if (listGroupNames(item).length === 0) return [[{ kind: 'value', node: item }]];
    this.#notes.add(TOO_MANY_NOTE);
    return [...tails].sort((a, b) => b.length - a.length).slice(0, Math.max(maxTails, 1));
  }

  #set(node: PcreNode & { kind: 'set' }): readonly ExpandedPath[] {
    if (node.literal !== undefined) return [[{ kind: 'text', bytes: [node.literal] }]];
    if (isSameCharSet(node.set, DOT)) {
      this.#notes.add('an unescaped . is read as a dot; the site accepts any character there');
      return [[{ kind: 'text', bytes: [0x2e] }]];
    }
    const options = countCharacters(node.set) <= 2 * MAX_OPTIONS ? listBytes(node) : [];
    if (options.length === 0 || options.length > MAX_OPTIONS) return [[{ kind: 'value', node }]];
    return options.map((byte) => [{ kind: 'text', bytes: [byte] }]);
  }

  #alternation(node: PcreNode & { kind: 'alternation' }): readonly ExpandedPath[] {
    const options = node.options.filter((option) => !needsQuestionMark(option));
    if (options.length > 0 && options.length < node.options.length)
      return this.#alternation({ kind: 'alternation', options });
    const expanded = node.options.flatMap((option) => this.expand(option));
    const isLiteral = expanded.every((path) => path.every((piece) => piece.kind === 'text'));
    if (listGroupNames(node).length > 0 || (isLiteral && expanded.length <= MAX_OPTIONS)) return expanded;
    return [[{ kind: 'value', node }]];
  }

  #group(node: PcreNode & { kind: 'group' }): readonly ExpandedPath[] {
    if (node.name === undefined) return this.expand(node.body);
    for (const inner of listGroupNames(node.body)) {
      this.#notes.add(`the group ${inner} is part of the group ${node.name}`);
    }
    return [[{ kind: 'value', name: node.name, node }]];
  }

  #repeat(node: PcreNode & { kind: 'repeat' }): readonly ExpandedPath[] {
    if (node.max === 0 || (node.min === 0 && needsQuestionMark(node.body))) return [[]];
    if (node.min === 1 && node.max === 1) return this.expand(node.body);
    const isText = literalLength(node.body) > 0;
    if (node.max === 1) {
      // An optional part without named groups, e.g. `\w?`, is one parameter.
      const isUnnamed = !isText && listGroupNames(node).length === 0 && !startsWithSlash(node.body);
      return isUnnamed ? [[{ kind: 'value', node }]] : [[], ...this.expand(node.body)];
    }
    if (isText && node.min === node.max && node.max <= MAX_OPTIONS) {
      const [once = []] = this.expand(node.body);
      return [Array.from({ length: node.max }, () => once).flat()];
    }
    const [name] = listGroupNames(node.body);
    if (name === undefined) return [[{ kind: 'value', node }]];
    this.#notes.add(
      `the group ${name} repeats: its parameter is the whole repetition, the site reads the last one`,
    );
    return [[{ kind: 'value', name, node }]];
  }
}

/** A `?` begins the query. Jetpack ends routes in `(\?.*)?`. */
function needsQuestionMark(node: PcreNode): boolean {
  return getOccurrence(node, QUESTION_MARK) === 'always';
}

function listGroupNames(node: PcreNode): readonly string[] {
  const ownName = node.kind === 'group' && node.name !== undefined ? [node.name] : [];
  return [...ownName, ...childrenOf(node).flatMap(listGroupNames)];
}

/** A letter in both cases is listed in lower case. */
function listBytes(node: PcreNode & { kind: 'set' }): readonly number[] {
  const bytes = node.set.flatMap(([low, high]) => Array.from({ length: high - low + 1 }, (_, i) => low + i));
  return bytes.filter((byte) => !(byte >= 0x41 && byte <= 0x5a && bytes.includes(byte + 32)));
}

/** 0 for any other node. */
function literalLength(node: PcreNode): number {
  if (node.kind === 'set') return node.literal === undefined ? 0 : 1;
  if (node.kind === 'group' && node.name !== undefined) return 0;
  if (node.kind !== 'sequence' && node.kind !== 'group') return 0;
  const sizes = childrenOf(node).map(literalLength);
  return sizes.every((size) => size > 0) ? sizes.reduce((sum, size) => sum + size, 0) : 0;
}

function startsWithSlash(node: PcreNode): boolean {
  if (node.kind === 'set') return node.literal === 0x2f;
  const [first] = childrenOf(node);
  return first !== undefined && node.kind !== 'repeat' && startsWithSlash(first);
}

function mergeNeighbours(path: ExpandedPath): ExpandedPath {
  const groups: PathPiece[][] = [];
  for (const piece of path) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const isSame =
      piece.kind === 'text'
        ? first?.kind === 'text'
        : piece.name === undefined && first?.kind === 'value' && first.name === undefined;
    if (isSame) group?.push(piece);
    else groups.push([piece]);
  }
  return groups.flatMap((group): readonly PathPiece[] => {
    if (group.length === 1) return group;
    const items = group.flatMap((piece) => (piece.kind === 'value' ? [piece.node] : []));
    if (items.length > 0) return [{ kind: 'value', node: { kind: 'sequence', items } }];
    return [{ kind: 'text', bytes: group.flatMap((piece) => (piece.kind === 'text' ? piece.bytes : [])) }];
  });
}

export interface RouteParameter {
  /** Unique in the template. */
  readonly name: string;
  /** Absent for an unnamed group; `name` can have a suffix. */
  readonly groupName?: string;
  readonly pcre: string;
  /** ECMA-262, anchored, explicitly case-insensitive. */
  readonly ecmaPattern: string;
  /** Otherwise the pattern accepts more than the site, for `reasons`. */
  readonly isExact: boolean;
  readonly wideningReasons: readonly string[];
  readonly slashOccurrence: Occurrence;
  readonly node: PcreNode;
  readonly routePattern: string;
}

function createRouteParameter(
  occurrence: Pick<RouteParameter, 'name' | 'node' | 'routePattern'> & {
    readonly groupName: string | undefined;
    readonly neighbours: GroupNeighbours;
  },
): RouteParameter {
  const { groupName, name, neighbours, node, routePattern } = occurrence;
  const body = node.kind === 'group' ? node.body : node;
  const isolated = isolateGroup(body, neighbours);
  const { exact, pattern, wideningReasons } = toEcmaPattern(isolated, { unicode: false, matchesWhole: true });
  return {
    name,
    ...omitUndefined({ groupName }),
    pcre: getSourceText(node, routePattern),
    ecmaPattern: pattern,
    isExact: exact,
    wideningReasons,
    slashOccurrence: getOccurrence(body, SLASH),
    routePattern,
    node,
  };
}

/** At the first slash at the top level of its pattern, e.g. `[a-z-]+/[a-z-]+`; otherwise `null`. */
export function splitAtSlash(parameter: RouteParameter): readonly [RouteParameter, RouteParameter] | null {
  let node = parameter.node;
  while (node.kind === 'group') node = node.body;
  if (node.kind !== 'sequence') return null;
  const at = node.items.findIndex((item) => isCharacter(item, SLASH));
  if (at <= 0 || at === node.items.length - 1) return null;
  const parts = [node.items.slice(0, at), node.items.slice(at + 1)];
  const [before, after] = parts.map((items, i) => {
    const part: PcreNode = { kind: 'sequence', items };
    const name = i === 0 ? parameter.name : `${parameter.name}_2`;
    const neighbours: GroupNeighbours = {
      precedingCharacter: 'slash',
      followingCharacter: i === 0 ? 'slash' : 'other',
    };
    const { groupName, routePattern } = parameter;
    return createRouteParameter({ name, groupName, node: part, routePattern, neighbours });
  });
  return before === undefined || after === undefined ? null : [before, after];
}

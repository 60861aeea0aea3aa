import { RE2JS } from 're2js';
import { countExpandedNodes, isCharacter, type PcreNode, SLASH } from './ast.ts';
import { containsCharacter } from './charset.ts';
import { type ParsedPcre, parseArgumentPattern, parseRoutePattern } from './parser.ts';
import { printPattern } from './to-ecma.ts';

interface Matcher {
  /** Whether it accepts exactly what the site accepts; otherwise it accepts more. */
  readonly exact: boolean;
  /**
   * Steps of some 30 ns for each character of the subject. One for plain segments; otherwise the number of nodes with
   * repetitions written out, because RE2 follows all paths at once.
   */
  readonly stepsPerCharacter: number;
}

export interface RouteMatcher extends Matcher {
  /**
   * Matches a whole route path, given as a byte string.
   *
   * @returns the named groups as PHP's `preg_match` sets them: an unused group is `''`, or absent if no later group was
   * used; `null` if the route does not match
   */
  match(path: string): Readonly<Record<string, string>> | null;
}

export interface PatternMatcher extends Matcher {
  /** Whether the pattern matches anywhere in a value. */
  test(value: string): boolean;
}

/** Compiles a route pattern. A route that PCRE rejects matches nothing, as it does at the site. */
export function compileRoute(pattern: string): RouteMatcher {
  const parsed = parseRoutePattern(pattern);
  if (isRefused(parsed)) return { exact: true, stepsPerCharacter: 1, match: () => null };
  const compiled = parsed.ok ? compileMatcher(parsed.root, false) : null;
  if (compiled === null || !parsed.ok) return prefixRouteMatcher(pattern);
  const names = compiled.groupNumbers.map((index) => parsed.groups[index - 1]?.name);
  return {
    exact: compiled.exact,
    stepsPerCharacter: compiled.stepsPerCharacter,
    match: (path) => {
      const found = compiled.exec(path);
      return found === null ? null : namedGroups(found, names);
    },
  };
}

export function compilePattern(source: string): PatternMatcher {
  const parsed = parseArgumentPattern(source);
  if (isRefused(parsed)) return { exact: true, stepsPerCharacter: 1, test: () => false };
  const compiled = parsed.ok ? compileMatcher(parsed.root, true) : null;
  if (compiled === null) return { exact: false, stepsPerCharacter: 1, test: () => true };
  const { exact, exec, stepsPerCharacter } = compiled;
  return { exact, stepsPerCharacter, test: (value) => exec(value) !== null };
}

/** Creates the fallback for an unsupported pattern: it matches every path that starts with the literal prefix. */
function prefixRouteMatcher(pattern: string): RouteMatcher {
  const prefix = extractLiteralPrefix(pattern).text.toLowerCase();
  const match = (path: string): Readonly<Record<string, string>> | null =>
    path.toLowerCase().startsWith(prefix) ? {} : null;
  return { exact: false, stepsPerCharacter: 1, match };
}

/** Whether PCRE rejects a pattern. `preg_match` then returns false, which WordPress treats as no match. */
function isRefused(parsed: ParsedPcre): boolean {
  return parsed.ok ? parsed.rejectionReason !== undefined : parsed.reason === 'invalid';
}

/** Maximum size of a pattern for RE2, with its repetitions written out. Its time is proportional to this. */
const MAX_RE2_NODES = 1000;

/** Maximum length of a pattern in RE2's syntax, where a class of Unicode has 12,000 characters. 1 MB takes a second to compile. */
const MAX_SOURCE_LENGTH = 200_000;

/** Creates a search, which JavaScript runs only for a route of plain segments. `null` if the pattern is too large. */
function compileMatcher(root: PcreNode, unicode: boolean) {
  const isNative = !unicode && hasPlainSegments(root);
  const stepsPerCharacter = isNative ? 1 : countExpandedNodes(root);
  if (stepsPerCharacter > MAX_RE2_NODES) return null;
  const target = isNative ? 'native' : 're2';
  const options = { target, unicode, isWholePattern: true } as const;
  const { groupNumbers, source, wideningReasons } = printPattern(root, options);
  if (source.length > MAX_SOURCE_LENGTH) return null;
  let engine: RegExp | RE2JS | undefined;
  const exec = (subject: string): readonly (string | undefined)[] | null => {
    engine ??= isNative ? new RegExp(source) : RE2JS.compile(source);
    return engine.exec(subject);
  };
  return { exact: wideningReasons.length === 0, exec, groupNumbers, stepsPerCharacter };
}

/**
 * Whether a route is made of literal text and of groups that are whole segments, such as `/posts/(?P<id>[\d]+)`. A backtracking
 * engine matches it in linear time: no group can match a slash, and after each one stands a slash or the end.
 */
function hasPlainSegments(root: PcreNode): boolean {
  const items = listItems(root);
  return items.every((item, at) => {
    if (item.kind === 'assert') return at === 0 || at === items.length - 1;
    if (item.kind !== 'group') return item.kind === 'set';
    const { body } = item;
    const word = body.kind === 'repeat' && body.max === Number.POSITIVE_INFINITY ? body.body : body;
    const next = items[at + 1];
    const isEnded = next === undefined || next.kind === 'assert' || isCharacter(next, SLASH);
    return word.kind === 'set' && !containsCharacter(word.set, SLASH) && isEnded;
  });
}

function listItems(node: PcreNode): readonly PcreNode[] {
  return node.kind === 'sequence' ? node.items.flatMap(listItems) : [node];
}

function namedGroups(
  found: readonly (string | undefined)[],
  names: readonly (string | undefined)[],
): Record<string, string> {
  const groups = new Map<string, string>();
  const last = found.findLastIndex((value) => value !== undefined);
  for (let i = 0; i < last; i += 1) {
    const name = names[i];
    if (name !== undefined) groups.set(name, found[i + 1] ?? '');
  }
  // An assignment to the member `__proto__` would change the prototype.
  return Object.fromEntries(groups);
}

/** Maximum length that is read of a pattern. PCRE compiles hardly a longer one, because its links have two bytes. */
const MAX_READ_LENGTH = 65_536;

/** Extracts the literal prefix of a route pattern that does not parse. */
export function extractLiteralPrefix(declared: string): {
  /** Literal text up to the last slash before any other construct; at least `/`. */
  readonly text: string;
  /** The name of the only named group; `undefined` if the pattern has none or several. */
  readonly groupName: string | undefined;
} {
  const pattern = declared.slice(0, MAX_READ_LENGTH);
  const text = /^(?:[\w/.~-]|\\[/.-])*/.exec(pattern)?.[0] ?? '';
  // A quantifier can apply to the last character, but not to the text up to the last slash. A top-level `|` makes even the
  // beginning uncertain.
  const path = hasTopLevelAlternation(pattern)
    ? ''
    : text.slice(0, text.lastIndexOf('/') + 1).replaceAll('\\', '');
  const names = [...pattern.matchAll(/\(\?P?[<'](\w+)[>']/g)].map(([, name]) => name);
  return { text: path === '' ? '/' : path, groupName: names.length === 1 ? names[0] : undefined };
}

/** Whether a `|` seems to be outside of all parentheses. This is a guess, because the pattern was not parsed. */
export function hasTopLevelAlternation(pattern: string): boolean {
  let depth = 0;
  // A class without end extends to the end of the pattern, so that each character is read once.
  for (const [token] of pattern.matchAll(/\\.|\[\^?\]?[^\]]*(?:\]|$)|[()|]/gs)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === '|' && depth <= 0) return true;
  }
  return false;
}

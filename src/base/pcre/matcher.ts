import { RE2JS } from 're2js';
import { countExpandedNodes, isCharacter, type PcreNode, SLASH } from './ast.ts';
import { type ParsedPcre, parseArgumentPattern, parseRoutePattern } from './parser.ts';
import { printPattern } from './to-ecma.ts';

interface Matcher {
  readonly exact: boolean;
  /** Steps per character: 1 for plain segments, otherwise the nodes that RE2 follows at once. */
  readonly stepsPerCharacter: number;
}

export interface RouteMatcher extends Matcher {
  /** @param path a byte string @returns the named groups as `preg_match` sets them */
  match(path: string): Readonly<Record<string, string>> | null;
}

interface PatternMatcher extends Matcher {
  test(value: string): boolean;
}

/** Compiles a route pattern. One that PCRE rejects matches nothing, as at the site. */
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

function prefixRouteMatcher(pattern: string): RouteMatcher {
  const prefix = extractLiteralPrefix(pattern).text.toLowerCase();
  const match = (path: string): Readonly<Record<string, string>> | null =>
    path.toLowerCase().startsWith(prefix) ? {} : null;
  return { exact: false, stepsPerCharacter: 1, match };
}

function isRefused(parsed: ParsedPcre): boolean {
  return parsed.ok ? parsed.rejectionReason !== undefined : parsed.reason === 'invalid';
}

const MAX_RE2_NODES = 1000;

const MAX_UNICODE_CLASSES = 50;

function compileMatcher(root: PcreNode, unicode: boolean) {
  const isNative = !unicode && hasPlainSegments(root);
  const stepsPerCharacter = isNative ? 1 : countExpandedNodes(root);
  if (stepsPerCharacter > MAX_RE2_NODES) return null;
  const target = isNative ? 'native' : 're2';
  const options = { target, unicode, isWholePattern: true } as const;
  const { groupNumbers, source, wideningReasons } = printPattern(root, options);
  if (source.split(/\\p\{/i).length > MAX_UNICODE_CLASSES) return null;
  let engine: RegExp | RE2JS | undefined;
  const exec = (subject: string): readonly (string | undefined)[] | null => {
    engine ??= isNative ? new RegExp(source) : RE2JS.compile(source);
    return engine.exec(subject);
  };
  return { exact: wideningReasons.length === 0, exec, groupNumbers, stepsPerCharacter };
}

/** Whether JavaScript matches in linear time: groups are whole segments, e.g. `/posts/(?P<id>[\d]+)`. */
function hasPlainSegments(root: PcreNode): boolean {
  const items = listItems(root);
  return items.every((item, at) => {
    if (item.kind === 'assert') return at === 0 || at === items.length - 1;
    if (item.kind !== 'group') return item.kind === 'set';
    const { body } = item;
    const word = body.kind === 'repeat' && body.max === Number.POSITIVE_INFINITY ? body.body : body;
    const next = items[at + 1];
    const isEnded = next === undefined || next.kind === 'assert' || isCharacter(next, SLASH);
    return word.kind === 'set' && !word.members.has(SLASH) && isEnded;
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
  // Assigning the member `__proto__` would change the prototype.
  return Object.fromEntries(groups);
}

/** PCRE's links have two bytes, so it hardly compiles a longer pattern. */
const MAX_READ_LENGTH = 65_536;

export function extractLiteralPrefix(declared: string): {
  readonly text: string;
  readonly groupName: string | undefined;
} {
  const pattern = declared.slice(0, MAX_READ_LENGTH);
  const text = /^(?:[\w/.~-]|\\[/.-])*/.exec(pattern)?.[0] ?? '';
  // A top-level `|` makes even the beginning uncertain.
  const path = hasTopLevelAlternation(pattern)
    ? ''
    : text.slice(0, text.lastIndexOf('/') + 1).replaceAll('\\', '');
  const names = [...pattern.matchAll(/\(\?P?[<'](\w+)[>']/g)].map(([, name]) => name);
  return { text: path === '' ? '/' : path, groupName: names.length === 1 ? names[0] : undefined };
}

export function hasTopLevelAlternation(pattern: string): boolean {
  let depth = 0;
  // A class without end extends to the end of the pattern.
  for (const [token] of pattern.matchAll(/\\.|\[\^?\]?[^\]]*(?:\]|$)|[()|]/gs)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === '|' && depth <= 0) return true;
  }
  return false;
}

import { type Ambiguity, analyzeAmbiguity } from './ambiguity.ts';
import { childrenOf, getMatchLengths, type PcreNode } from './ast.ts';
import { MAX_BYTE, MAX_CODE_POINT } from './charset.ts';
import { createLinearMatcher } from './linear-matcher.ts';
import { type ParsedPcre, parseArgumentPattern, parseRoutePattern } from './parser.ts';
import { printEcmaPattern } from './to-ecma.ts';

interface Matcher {
  /** Whether it accepts exactly what the site accepts; otherwise it accepts more. */
  readonly exact: boolean;
  readonly ambiguity: Ambiguity;
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

const MATCHES_NOTHING = { exact: true, ambiguity: 'none' } as const;

/** Compiles a route pattern. A route that PCRE rejects matches nothing, as it does at the site. */
export function compileRoute(pattern: string): RouteMatcher {
  const parsed = parseRoutePattern(pattern);
  if (isRefused(parsed)) return { ...MATCHES_NOTHING, match: () => null };
  if (!parsed.ok) return prefixRouteMatcher(pattern);
  const names = parsed.groups.filter((group) => group.name !== undefined);
  const captured = new Set(
    (hasOptionalNamedGroup(parsed.root) ? parsed.groups : names).map((group) => group.index),
  );
  const compiled = compileMatcher(parsed, MAX_BYTE, captured);
  if (compiled === null) return prefixRouteMatcher(pattern);
  const slots = compiled.captures.map((index) => ({
    index,
    name: parsed.groups.find((group) => group.index === index)?.name,
  }));
  return {
    exact: compiled.exact,
    ambiguity: compiled.ambiguity,
    match: (path) => {
      const found = compiled.exec(path);
      return found === null ? null : namedGroups(found, slots);
    },
  };
}

export function compilePattern(source: string): PatternMatcher {
  const parsed = parseArgumentPattern(source);
  if (isRefused(parsed)) return { ...MATCHES_NOTHING, test: () => false };
  if (!parsed.ok) return WIDE_PATTERN;
  const compiled = compileMatcher(parsed, MAX_CODE_POINT, new Set());
  if (compiled === null) return WIDE_PATTERN;
  return {
    exact: compiled.exact,
    ambiguity: compiled.ambiguity,
    test: (value) => compiled.exec(value) !== null,
  };
}

/** Creates the fallback for an unsupported pattern: it matches every path that starts with the literal prefix. */
function prefixRouteMatcher(pattern: string): RouteMatcher {
  const prefix = extractLiteralPrefix(pattern).text.toLowerCase();
  const match = (path: string): Readonly<Record<string, string>> | null =>
    path.toLowerCase().startsWith(prefix) ? {} : null;
  return { exact: false, ambiguity: 'unknown', match };
}

const WIDE_PATTERN: PatternMatcher = { exact: false, ambiguity: 'unknown', test: () => true };

/** Whether PCRE rejects a pattern. `preg_match` then returns false, which WordPress treats as no match. */
function isRefused(parsed: ParsedPcre): boolean {
  return parsed.ok ? parsed.rejectionReason !== undefined : parsed.reason === 'invalid';
}

function compileMatcher(
  { groups, root }: Extract<ParsedPcre, { ok: true }>,
  max: number,
  captured: ReadonlySet<number>,
) {
  const ambiguity = analyzeAmbiguity(root, { matchesWhole: false });
  const options = {
    maxCharacter: max,
    unicodeWords: max > MAX_BYTE,
    capturedGroups: captured,
    forMatching: true,
    isWholePattern: true,
  } as const;
  if (ambiguity === 'none' && capturesLikePcre(root, captured, false)) {
    const { source, groupNumbers, wideningReasons } = printEcmaPattern(root, options);
    const native = new RegExp(source, max > MAX_BYTE ? 'u' : '');
    return {
      captures: groupNumbers,
      ambiguity,
      exact: wideningReasons.length === 0,
      exec: (subject: string) => native.exec(subject),
    };
  }
  const linear = createLinearMatcher(root, groups.at(-1)?.index ?? 0, max);
  if (linear === null) return null;
  const captures = [...captured].sort((a, b) => a - b);
  return {
    captures,
    ambiguity,
    exact: linear.isExact,
    exec: (subject: string) => {
      const registers = linear.exec(subject);
      return registers && [0, ...captures].map((group) => capturedText(subject, registers, group));
    },
  };
}

function capturedText(subject: string, registers: Int32Array, group: number): string | undefined {
  const start = registers[2 * group] ?? -1;
  const end = registers[2 * group + 1] ?? -1;
  return start < 0 || end < 0 ? undefined : subject.slice(start, end);
}

/**
 * Whether JavaScript's engine captures the same groups as PCRE. JavaScript resets groups in each iteration and rejects
 * empty iterations (ECMA-262, RepeatMatcher); PCRE does neither.
 */
function capturesLikePcre(node: PcreNode, captured: ReadonlySet<number>, looping: boolean): boolean {
  if (node.kind === 'group' && looping && captured.has(node.index)) return false;
  // JavaScript matches lookbehinds backwards, which changes the groups inside.
  if (node.kind === 'look' && !node.ahead) return capturesLikePcre(node.body, captured, true);
  const loops = node.kind === 'repeat' && node.max > 1;
  if (node.kind === 'repeat' && node.max > node.min && getMatchLengths(node.body).min === 0) return false;
  return childrenOf(node).every((child) => capturesLikePcre(child, captured, looping || loops));
}

/** Whether a match may leave a named group unused. */
function hasOptionalNamedGroup(node: PcreNode, optional = false): boolean {
  if (node.kind === 'group' && optional && node.name !== undefined) return true;
  const below = optional || node.kind === 'alternation' || (node.kind === 'repeat' && node.min === 0);
  return childrenOf(node).some((child) => hasOptionalNamedGroup(child, below));
}

interface CaptureSlot {
  readonly index: number;
  readonly name: string | undefined;
}

function namedGroups(
  found: readonly (string | undefined)[],
  slots: readonly CaptureSlot[],
): Record<string, string> {
  const groups = new Map<string, string>();
  let last = slots.length;
  // Captures with index 0 are auxiliary groups of atomic groups.
  while (last > 0 && (found[last] === undefined || slots[last - 1]?.index === 0)) last -= 1;
  for (let i = 0; i < last; i += 1) {
    const name = slots[i]?.name;
    if (name === undefined) continue;
    const value = found[i + 1];
    // Groups may share a name under (?J). The value is that of the group that matched.
    if (value !== undefined || !groups.has(name)) groups.set(name, value ?? '');
  }
  // An assignment to the member `__proto__` would change the prototype.
  return Object.fromEntries(groups);
}

interface LiteralPrefix {
  /** Literal text up to the last slash before any other construct; at least `/`. */
  readonly text: string;
  /** The name of the only named group; `undefined` if the pattern has none or several. */
  readonly groupName: string | undefined;
}

/** Extracts the literal prefix of a route pattern that does not parse. */
export function extractLiteralPrefix(pattern: string): LiteralPrefix {
  const text = /^(?:[\w/.~-]|\\[/.-])*/.exec(pattern)?.[0] ?? '';
  // A quantifier may apply to the last character, but not to the text up to the last slash. A top-level `|` makes even the
  // beginning uncertain.
  const path = hasTopLevelAlternation(pattern)
    ? ''
    : text.slice(0, text.lastIndexOf('/') + 1).replaceAll('\\', '');
  const names = [...pattern.matchAll(/\(\?P?[<'](\w+)[>']/g)].map(([, name]) => name);
  return { text: path === '' ? '/' : path, groupName: names.length === 1 ? names[0] : undefined };
}

/** Whether a `|` seems to be outside of all parentheses. This is a guess, because the pattern does not parse. */
function hasTopLevelAlternation(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[\^?\]?[^\]]*\]|[()|]/gs)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === '|' && depth <= 0) return true;
  }
  return false;
}

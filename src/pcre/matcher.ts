import { type Ambiguity, ambiguityOf } from './ambiguity.ts';
import { childrenOf, type PcreNode } from './ast.ts';
import { MAX_BYTE, MAX_CODE_POINT } from './charset.ts';
import { classesFor } from './classes.ts';
import { lengthsOf } from './lengths.ts';
import { linearMatcher } from './linear.ts';
import { literalPrefix } from './literal-prefix.ts';
import type { ParsedPcre } from './parse.ts';
import { parseArgumentPattern, parseRoute } from './php.ts';
import { printPattern } from './print.ts';
import { testsOf } from './subject.ts';
import { writeProgram } from './write-program.ts';

interface Matcher {
  /** Whether the verdict is the site's; else it says yes more often. */
  readonly exact: boolean;
  readonly ambiguity: Ambiguity;
}

export interface RouteMatcher extends Matcher {
  /**
   * The named groups of a whole route path, given as a byte string, as PHP's `preg_match` fills them: a group that
   * took no part is `''`, and absent where no later group took part either. Null where the route does not match.
   */
  match(path: string): Readonly<Record<string, string>> | null;
}

export interface PatternMatcher extends Matcher {
  /** Whether the site's pattern is found anywhere in a value. */
  test(value: string): boolean;
}

const REFUSES_ALL = { exact: true, ambiguity: 'none' } as const;

/** A matcher for a route of the site. A route that PCRE refuses to compile matches nothing, as it does at the site. */
export function compileRoute(pattern: string): RouteMatcher {
  const parsed = parseRoute(pattern);
  if (isRefused(parsed)) return { ...REFUSES_ALL, match: () => null };
  if (!parsed.ok) return wideRoute(pattern);
  const names = parsed.groups.filter((group) => group.name !== undefined);
  const captured = new Set((isOptional(parsed.root) ? parsed.groups : names).map((group) => group.index));
  const compiled = compile(parsed.root, MAX_BYTE, captured, highest(parsed.groups));
  if (compiled === null) return wideRoute(pattern);
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

/** A matcher for the `pattern` of an argument. */
export function compilePattern(source: string): PatternMatcher {
  const parsed = parseArgumentPattern(source);
  if (isRefused(parsed)) return { ...REFUSES_ALL, test: () => false };
  if (!parsed.ok) return WIDE_PATTERN;
  const compiled = compile(parsed.root, MAX_CODE_POINT, new Set(), highest(parsed.groups));
  if (compiled === null) return WIDE_PATTERN;
  return {
    exact: compiled.exact,
    ambiguity: compiled.ambiguity,
    test: (value) => compiled.exec(value) !== null,
  };
}

/** For a pattern that cannot be carried: whatever begins as it does. */
function wideRoute(pattern: string): RouteMatcher {
  const prefix = literalPrefix(pattern).text.toLowerCase();
  const match = (path: string): Readonly<Record<string, string>> | null =>
    path.toLowerCase().startsWith(prefix) ? {} : null;
  return { exact: false, ambiguity: 'unknown', match };
}

const WIDE_PATTERN: PatternMatcher = { exact: false, ambiguity: 'unknown', test: () => true };

/** PCRE would not compile it, so `preg_match` returns false, which the site takes for no match. */
function isRefused(parsed: ParsedPcre): boolean {
  return parsed.ok ? parsed.refused !== undefined : parsed.reason === 'invalid';
}

function highest(groups: readonly { readonly index: number }[]): number {
  return groups.reduce((max, { index }) => Math.max(max, index), 0);
}

/** Time and memory of a linear match go with the product of this and the length of the subject. */
const MAX_MARKS = 1024;

interface Compiled extends Matcher {
  readonly captures: readonly number[];
  exec(subject: string): readonly (string | undefined)[] | null;
}

function compile(
  root: PcreNode,
  max: number,
  captured: ReadonlySet<number>,
  groups: number,
): Compiled | null {
  const ambiguity = ambiguityOf(root, { anchored: false });
  const options = { max, unicodeWords: max > MAX_BYTE, captured, forMatching: true, ends: true } as const;
  if (ambiguity === 'none' && isNative(root, captured, false)) {
    const { source, captures, widened } = printPattern(root, options);
    const native = new RegExp(source, max > MAX_BYTE ? 'u' : '');
    return { captures, ambiguity, exact: widened.length === 0, exec: (subject) => native.exec(subject) };
  }
  const unicode = max > MAX_BYTE;
  const program = writeProgram(root, groups, max);
  if (program.marks > MAX_MARKS) return null;
  // The last set is that of the characters of a word, which only `\b` asks for.
  const words = holdsBoundary(root) ? classesFor(unicode).escapes.w : [];
  const tests = testsOf([...program.sets, words]);
  const linear = linearMatcher(program, tests, unicode);
  const captures = [...captured].sort((a, b) => a - b);
  return {
    captures,
    ambiguity,
    exact: program.widened.length === 0,
    exec: (subject) => {
      const registers = linear(subject);
      return registers === null ? null : [0, ...captures].map((group) => capture(subject, registers, group));
    },
  };
}

function capture(subject: string, registers: Int32Array, group: number): string | undefined {
  const start = registers[2 * group] ?? -1;
  const end = registers[2 * group + 1] ?? -1;
  return start < 0 || end < 0 ? undefined : subject.slice(start, end);
}

/**
 * Whether JavaScript's own engine captures what PCRE does. It forgets groups on each round of a loop and refuses
 * empty rounds (ECMA-262, RepeatMatcher); PCRE does neither.
 */
function isNative(node: PcreNode, captured: ReadonlySet<number>, looping: boolean): boolean {
  if (node.kind === 'group' && looping && captured.has(node.index)) return false;
  // JavaScript matches lookbehinds backwards, which tells in the groups inside.
  if (node.kind === 'look' && !node.ahead) return isNative(node.body, captured, true);
  const loops = node.kind === 'repeat' && node.max > 1;
  if (node.kind === 'repeat' && node.max > node.min && lengthsOf(node.body).min === 0) return false;
  return childrenOf(node).every((child) => isNative(child, captured, looping || loops));
}

function holdsBoundary(node: PcreNode): boolean {
  if (node.kind === 'assert') return node.at === 'boundary' || node.at === 'no-boundary';
  return childrenOf(node).some(holdsBoundary);
}

/** Whether a match may leave a named group out. */
function isOptional(node: PcreNode, optional = false): boolean {
  if (node.kind === 'group' && optional && node.name !== undefined) return true;
  const below = optional || node.kind === 'alternation' || (node.kind === 'repeat' && node.min === 0);
  return childrenOf(node).some((child) => isOptional(child, below));
}

interface Slot {
  readonly index: number;
  readonly name: string | undefined;
}

function namedGroups(found: readonly (string | undefined)[], slots: readonly Slot[]): Record<string, string> {
  const groups: Record<string, string> = {};
  let last = slots.length;
  // Captures of no group of the site's (index 0) only carry an atomic group.
  while (last > 0 && (found[last] === undefined || slots[last - 1]?.index === 0)) last -= 1;
  for (let i = 0; i < last; i += 1) {
    const name = slots[i]?.name;
    if (name === undefined) continue;
    const value = found[i + 1];
    // Groups may share a name under (?J): the one that took part counts.
    if (value === undefined && Object.hasOwn(groups, name)) continue;
    define(groups, name, value ?? '');
  }
  return groups;
}

/** `__proto__` is a name like any other. */
function define(groups: Record<string, string>, name: string, value: string): void {
  if (name !== '__proto__') groups[name] = value;
  else Object.defineProperty(groups, name, { value, enumerable: true, configurable: true, writable: true });
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PcreNode } from '../../../src/base/pcre/ast.ts';
import {
  compilePattern,
  compileRoute,
  parseArgumentPattern,
  toEcmaPattern,
} from '../../../src/base/pcre/index.ts';
import { parseRoutePattern } from '../../../src/base/pcre/parser.ts';
import { readRecorded } from '../../support/recorded-indexes.ts';

/** Patterns of a fixture. */
interface Patterns {
  readonly routes: readonly string[];
  readonly arguments: readonly string[];
}

const fixture = (name: string): string => new URL(`fixtures/${name}`, import.meta.url).pathname;
const read = (name: string): Patterns => JSON.parse(readFileSync(fixture(name), 'utf8'));
const adversarial = read('adversarial-patterns.json');

/** The patterns of the recorded index of WordPress 7.1. */
function readWordPress(): Patterns {
  const { routes } = readRecorded('wordpress-7.1-index.json');
  const patterns = Array.from(JSON.stringify(routes).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g), ([, text]) =>
    String(JSON.parse(text ?? '""')),
  );
  return { routes: Object.keys(routes ?? {}), arguments: [...new Set(patterns)] };
}
const wordpress = readWordPress();

const sample = (subject: fc.Arbitrary<string>, numRuns: number, i: number): readonly string[] => [
  ...new Set(fc.sample(subject, { numRuns, seed: i + 1 })),
];
const routes = [...wordpress.routes, ...adversarial.routes].map(
  (pattern, i) => [pattern, sample(arbitraryRouteSubject(pattern), 150, i)] as const,
);
const random = fc.sample(arbitraryPattern(), { numRuns: 1000, seed: 7 }).map((pattern, i) => {
  const subjects = sample(arbitraryRouteSubject(pattern), 25, i);
  return [pattern, [...new Set([...subjects, '', '/', 'a', 'ab', 'aab/', 'abab', 'A\n'])]] as const;
});
const args = [...wordpress.arguments, ...adversarial.arguments].map(
  (pattern, i) => [pattern, sample(arbitraryArgumentSubject(pattern), 200, i)] as const,
);

const bytes64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/**
 * Matches all patterns in one `php` process. PCRE's JIT compiler is off, because it differs from the interpreter for some
 * patterns: `(?>\w*+\b|a*)[a-c]` on `ab`.
 */
function runPregMatch(): { routes: ([string, string][] | null)[][]; arguments: boolean[][] } {
  const input = JSON.stringify({
    routes: [...routes, ...random].map(([pattern, subjects]) => [pattern, subjects.map(bytes64)]),
    arguments: args.map(([pattern, subjects]) => [pattern, subjects.map(utf8)]),
  });
  const { stdout, stderr } = spawnSync('php', ['-d', 'pcre.jit=0', fixture('preg-match.php')], {
    input,
    maxBuffer: 1 << 28,
  });
  if (stdout.length === 0) throw new Error(`php printed no results: ${stderr}`);
  return JSON.parse(stdout.toString());
}

const php = runPregMatch();

/** Syntax that RE2 does not have. The matcher may match subjects that PHP does not match. */
const WIDENED = /(?<!\[[^\]]*)\(\?(?:[=!>|(]|<[=!]|[mnUJx]\))|\\[1-9hHKNQRvVX]|\[\[:|(?:[*+?]|\d\})\+/;
/** ECMA-262 has these characters in `\s`, or not in `.`, as PCRE does. */
const OTHER_IN_DOCUMENTS = /[\r\x85\xa0\u180e\u2028\u2029\ufeff]/;
/** Repetitions of what may be empty, after which RE2 may have other groups. */
const EMPTY_ITERATIONS = new Set([
  ...['/(?P<n>(a*)*)', '/(?:|a)*(?P<n>a*)', '/(?:|a)+(?P<n>a*)', '/(?P<n>a?)*(?P<m>b)'],
  ...['/(?:(?P<x>a*)(?P<y>b?)){2}', '/(?P<n>(?:a?){5}a{5})'],
]);

describe('a route matches what preg_match matches, with the same groups, and its documented pattern no less', () => {
  it.each(routes.map(([pattern, subjects], i) => ({ pattern, subjects, phpResults: php.routes[i] ?? [] })))(
    '$pattern',
    ({ pattern, subjects, phpResults }) => {
      // RE2 has no `\Z`, which is printed otherwise at the end only.
      const hasRe2Syntax = !WIDENED.test(pattern) && !/\\Z\)|\\[pP]/.test(pattern);
      expect(compileRoute(pattern).exact).toBe(hasRe2Syntax && !EMPTY_ITERATIONS.has(pattern));
      expect(listDifferences(pattern, subjects, phpResults)).toEqual([]);
    },
  );

  it('of a thousand random patterns', () => {
    const differences = random.flatMap(([pattern, subjects], i) =>
      listDifferences(pattern, subjects, php.routes[routes.length + i] ?? []),
    );
    expect(differences.slice(0, 20)).toEqual([]);
  });
});

/** What the matcher of a route, or its documented pattern, makes of subjects otherwise than PHP. */
function listDifferences(
  pattern: string,
  subjects: readonly string[],
  phpResults: readonly ([string, string][] | null)[],
): readonly string[] {
  const matcher = compileRoute(pattern);
  const documented = documentedPattern(pattern);
  return subjects.flatMap((subject, i) => {
    const expected =
      phpResults[i]?.map(([name, value]) => [name, Buffer.from(value, 'base64').toString('latin1')]) ?? null;
    const about = `${pattern} on ${JSON.stringify(subject)}: PHP finds ${JSON.stringify(expected)}`;
    const text = Buffer.from(subject, 'latin1').toString('utf8');
    const isUtf8 = Buffer.from(text, 'utf8').toString('latin1') === subject;
    const isComparable = isUtf8 && !OTHER_IN_DOCUMENTS.test(text) && (documented?.exact || expected !== null);
    const isDocumented = documented?.regexp.test(text) ?? false;
    const actual = matcher.match(subject);
    const found = JSON.stringify(actual === null ? null : Object.entries(actual));
    const isSame = matcher.exact ? found === JSON.stringify(expected) : expected === null || actual !== null;
    const differs = documented !== null && isComparable && isDocumented !== (expected !== null);
    return [
      ...(differs ? [`${about}, ${documented.regexp.source} does not`] : []),
      ...(isSame ? [] : [`${about}, the matcher ${found}`]),
    ];
  });
}

describe('the matcher and the documented pattern of an argument match where preg_match does', () => {
  it.each(args.map(([pattern, subjects], i) => ({ pattern, subjects, phpResults: php.arguments[i] ?? [] })))(
    '$pattern',
    ({ pattern, subjects, phpResults }) => {
      const matcher = compilePattern(pattern);
      // RE2 has boundaries of ASCII words only.
      expect(matcher.exact).toBe(!WIDENED.test(pattern) && !/\\b|\(\?i/.test(pattern));
      const parsed = parseArgumentPattern(pattern);
      const ecma =
        parsed.ok && parsed.rejectionReason === undefined
          ? toEcmaPattern(parsed.root, { unicode: true, matchesWhole: false })
          : null;
      for (const [i, subject] of subjects.entries()) {
        const expected = phpResults[i] ?? false;
        if (matcher.exact || expected) expect([subject, matcher.test(subject)]).toEqual([subject, expected]);
        const isWider = ecma !== null && ecma.wideningReasons.length > 0 && !expected;
        if (ecma === null || isWider || OTHER_IN_DOCUMENTS.test(subject)) continue;
        for (const flags of ['u', 'v'])
          expect(new RegExp(ecma.pattern, flags).test(subject), `${subject} ${flags}`).toBe(expected);
      }
    },
  );
});

/** Returns the pattern of a route in a document; `null` if PCRE rejects the route. */
function documentedPattern(route: string): { readonly regexp: RegExp; readonly exact: boolean } | null {
  const parsed = parseRoutePattern(route);
  if (!parsed.ok || parsed.rejectionReason !== undefined) return null;
  const { pattern, wideningReasons } = toEcmaPattern(parsed.root, { unicode: false, matchesWhole: false });
  return { regexp: new RegExp(pattern, 'u'), exact: wideningReasons.length === 0 };
}

function joined(parts: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  return parts.map((texts) => texts.join(''));
}

/** Generates patterns of all syntax that the parser accepts, over a small alphabet, so that some subjects match. */
function arbitraryPattern(): fc.Arbitrary<string> {
  const atom = fc.constantFrom(...'a b c / . \\d \\w [ab] [^a] [a-c/] \\W ^ $ \\b \\B \\z B'.split(' '));
  const quantifier = fc.constantFrom('', '', '', ...'* + ? *? +? ?? ++ {2} {1,2} {0,2}? {2,}'.split(' '));
  const opening = fc.constantFrom(...'( (?: (?P<N> (?P<N> (?> (?= (?! (?<= (?<! (?i: (?-i:'.split(' '));
  const { pattern } = fc.letrec<{ pattern: string; item: string; group: string }>((tie) => ({
    pattern: fc
      .array(joined(fc.array(tie('item'), { maxLength: 3, depthIdentifier: 'p' })), {
        ...{ minLength: 1, maxLength: 2 },
      })
      .map((options) => options.join('|')),
    item: joined(
      fc.tuple(
        fc.oneof({ maxDepth: 4, depthIdentifier: 'p' }, { weight: 3, arbitrary: atom }, tie('group')),
        quantifier,
      ),
    ),
    group: joined(fc.tuple(opening, tie('pattern'), fc.constant(')'))),
  }));
  // Group names are unique.
  return pattern.map((text) => {
    let count = 0;
    return text.replaceAll('<N>', () => `<n${count++}>`);
  });
}

/** Generates subjects for a route pattern: matches, corrupted matches and noise. */
function arbitraryRouteSubject(pattern: string): fc.Arbitrary<string> {
  const parsed = parseRoutePattern(pattern);
  const noise = fc.string({
    unit: fc.constantFrom(...'/aAbBcxyz012-_.%@ \n\r\t\u00c3\u00a9\u00e9]['),
    maxLength: 8,
  });
  const rooted = noise.map((text) => `/${text}`);
  if (!parsed.ok) return rooted;
  return matchesOr(parsed.root, rooted, noise);
}

/** Generates subjects for an argument pattern: matches, corrupted matches and noise. */
function arbitraryArgumentSubject(pattern: string): fc.Arbitrary<string> {
  const parsed = parseArgumentPattern(pattern);
  const noise = fc.string({
    unit: fc.constantFrom(...'aAbBkKsS\u017f\u212a\u00df12_-#/@. \n\u00e9\u0430\u0663\u00a0\u2028😀'),
    maxLength: 6,
  });
  if (!parsed.ok) return noise;
  return matchesOr(parsed.root, noise, noise);
}

function matchesOr(node: PcreNode, other: fc.Arbitrary<string>, noise: fc.Arbitrary<string>) {
  const matching = arbitraryMatch(node);
  const wrong = corrupted(matching, noise);
  return fc.oneof({ weight: 3, arbitrary: matching }, { weight: 3, arbitrary: wrong }, other);
}

function corrupted(matches: fc.Arbitrary<string>, noise: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(matches, noise, fc.nat(40), fc.nat(2)).map(([word, extra, at, cut]) => {
    const i = at % (word.length + 1);
    // Slicing may split a surrogate pair. The conversion through UTF-8 replaces the halves, as PHP sees whole characters.
    return Buffer.from(word.slice(0, i) + extra.slice(0, 2) + word.slice(i + cut)).toString();
  });
}

/** Generates matches of a pattern. Assertions and references are ignored, so some results do not match. */
function arbitraryMatch(node: PcreNode): fc.Arbitrary<string> {
  switch (node.kind) {
    case 'set': {
      if (node.members.size === 0) return fc.constant('');
      return fc.constantFrom(...node.members).map((point) => String.fromCodePoint(point));
    }
    case 'sequence':
      return joined(fc.tuple(...node.items.map((item) => arbitraryMatch(item))));
    case 'alternation':
      return fc.oneof(...node.options.map((option) => arbitraryMatch(option)));
    case 'group':
    case 'widened':
      return arbitraryMatch(node.body);
    case 'repeat': {
      const bounds = { minLength: node.min, maxLength: Math.min(node.max, node.min + 4) };
      return joined(fc.array(arbitraryMatch(node.body), bounds));
    }
    case 'assert':
      return node.at === 'last-line-end' ? fc.constantFrom('', '', '', '\n') : fc.constant('');
    default:
      return fc.constantFrom('', 'a');
  }
}

import fc from 'fast-check';
import type { PcreNode } from '../../../src/base/pcre/ast.ts';
import { parseArgumentPattern, parseRoutePattern } from '../../../src/base/pcre/index.ts';

/** Generates subjects for a route pattern: matches, corrupted matches and noise. */
export function arbitraryRouteSubject(pattern: string): fc.Arbitrary<string> {
  const parsed = parseRoutePattern(pattern);
  const noise = fc.string({
    unit: fc.constantFrom(...'/aAbBcxyz012-_.%@ \n\r\t\u00c3\u00a9\u00e9]['),
    maxLength: 8,
  });
  const rooted = noise.map((text) => `/${text}`);
  if (!parsed.ok) return rooted;
  const matching = arbitraryMatch(parsed.root, 0xff);
  return fc.oneof(
    { weight: 4, arbitrary: matching },
    { weight: 3, arbitrary: corrupted(matching, noise) },
    rooted,
  );
}

/** Generates subjects for an argument pattern: matches, corrupted matches and noise. */
export function arbitraryArgumentSubject(pattern: string): fc.Arbitrary<string> {
  const parsed = parseArgumentPattern(pattern);
  const noise = fc.string({
    unit: fc.constantFrom(...'aAbBkKsS\u017f\u212a\u00df12_-#/@. \n\u00e9\u0430\u0663\u00a0\u2028😀'),
    maxLength: 6,
  });
  if (!parsed.ok) return noise;
  const matching = arbitraryMatch(parsed.root, 0x10ffff);
  return fc.oneof(
    { weight: 2, arbitrary: matching },
    { weight: 2, arbitrary: corrupted(matching, noise) },
    noise,
  );
}

function corrupted(matches: fc.Arbitrary<string>, noise: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(matches, noise, fc.nat(40), fc.nat(2)).map(([word, extra, at, cut]) => {
    const i = at % (word.length + 1);
    // Slicing may split a surrogate pair. The conversion through UTF-8 replaces the halves, as PHP sees whole characters.
    return Buffer.from(word.slice(0, i) + extra.slice(0, 2) + word.slice(i + cut)).toString();
  });
}

/** Generates matches of a pattern. Assertions and references are ignored, so some results do not match. */
function arbitraryMatch(node: PcreNode, max: number): fc.Arbitrary<string> {
  switch (node.kind) {
    case 'set': {
      // PHP's Unicode version is older than Node's. Large sets are limited to characters that both have.
      const old = node.set.length > 20 ? node.set.filter(([low]) => low < 0x590) : node.set;
      const ranges = old.map(([low, high]) => fc.integer({ min: low, max: Math.min(high, max, low + 200) }));
      if (ranges.length === 0) return fc.constant('');
      return fc
        .oneof(...ranges)
        .map((point) => (point >= 0xd800 && point <= 0xdfff ? 'a' : String.fromCodePoint(point)));
    }
    case 'sequence':
      return fc.tuple(...node.items.map((item) => arbitraryMatch(item, max))).map((parts) => parts.join(''));
    case 'alternation':
      return fc.oneof(...node.options.map((option) => arbitraryMatch(option, max)));
    case 'group':
    case 'widened':
      return arbitraryMatch(node.body, max);
    case 'repeat': {
      const bounds = { minLength: node.min, maxLength: Math.min(node.max, node.min + 4) };
      return fc.array(arbitraryMatch(node.body, max), bounds).map((parts) => parts.join(''));
    }
    case 'assert':
      return node.at === 'last-line-end' ? fc.constantFrom('', '', '', '\n') : fc.constant('');
    default:
      return fc.constantFrom('', 'a');
  }
}

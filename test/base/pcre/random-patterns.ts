import fc from 'fast-check';

/** Generates patterns of all syntax that the parser accepts, over a small alphabet, so that some subjects match. */
export function arbitraryPattern(): fc.Arbitrary<string> {
  const atom = fc.constantFrom(...'a b c / . \\d \\w [ab] [^a] [a-c/] \\W ^ $ \\b \\B \\z B'.split(' '));
  const quantifier = fc.constantFrom(
    ...['', '', ''],
    ...'* + ? *? +? ?? ++ {2} {1,2} {0,2}? {2,}'.split(' '),
  );
  const { pattern } = fc.letrec<{ pattern: string; item: string; group: string }>((tie) => ({
    pattern: fc
      .array(fc.array(tie('item'), { minLength: 0, maxLength: 3, depthIdentifier: 'p' }), {
        minLength: 1,
        maxLength: 2,
      })
      .map((options) => options.map((items) => items.join('')).join('|')),
    item: fc
      .tuple(
        fc.oneof({ maxDepth: 4, depthIdentifier: 'p' }, { weight: 3, arbitrary: atom }, tie('group')),
        quantifier,
      )
      .map((parts) => parts.join('')),
    group: fc
      .tuple(
        fc.constantFrom('(', '(?:', '(?P<N>', '(?P<N>', '(?>', '(?=', '(?!', '(?<=', '(?<!', '(?i:', '(?-i:'),
        tie('pattern'),
      )
      .map(([open, body]) => `${open}${body})`),
  }));
  // Group names are unique.
  return pattern.map((text) => {
    let count = 0;
    return text.replaceAll('<N>', () => `<n${count++}>`);
  });
}

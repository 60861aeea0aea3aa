import type { SeededRandom } from '../../site/random.ts';

/** The words of the generated texts. In a pattern, `{x}` is replaced by a word of the list `x`. */
const WORD_LISTS = {
  who: [
    'the harbour master',
    'a retired ferry pilot',
    'the choir',
    'two neighbours',
    'the council',
    'our baker',
  ],
  did: [
    'repaired',
    'painted',
    'measured',
    'photographed',
    'reopened',
    'mapped',
    'argued about',
    'celebrated',
  ],
  what: [
    'the old pier',
    'the lighthouse stairs',
    'the market hall',
    'the tide gauge',
    'the north path',
    'the slipway',
  ],
  when: [
    'before the storm',
    'in a single weekend',
    'for the first time since 1962',
    'by lantern light',
    'after mass',
  ],
  why: [
    'because the sea was calm',
    'to everybody’s surprise',
    'with borrowed tools',
    'and nobody was in a hurry',
  ],
  season: ['spring', 'summer', 'autumn', 'winter'],
} as const;

const SENTENCE_PATTERNS = [
  'In {season}, {who} {did} {what} {when}.',
  '{who} {did} {what}, {why}.',
  'Nobody had {did} {what} {when}, so {who} began on Monday.',
  'What remains is {what}, which {who} {did} {why}.',
  'If you pass {what} this {season}, look for the plate that {who} left.',
] as const;

const TITLE_PATTERNS = [
  'How {who} {did} {what}',
  'A walk to {what} in {season}',
  'Notes on {what}, {when}',
  'Why {who} {did} {what}',
  'Open day at {what} this {season}',
] as const;

export function generateSentence(random: SeededRandom): string {
  return fillPattern(random, random.pick(SENTENCE_PATTERNS));
}

export function generateTitle(random: SeededRandom): string {
  return fillPattern(random, random.pick(TITLE_PATTERNS));
}

function generateParagraph(random: SeededRandom): string {
  return Array.from({ length: random.integer(3, 6) }, () => generateSentence(random)).join(' ');
}

/** Generates content in block markup, sometimes with a heading or a list. */
export function generateContent(random: SeededRandom): string {
  const blocks = Array.from({ length: random.integer(2, 5) }, () =>
    toParagraphBlock(generateParagraph(random)),
  );
  if (random.chance(0.4)) blocks.splice(1, 0, toHeadingBlock(generateTitle(random)));
  if (random.chance(0.25)) blocks.push(toListBlock([generateSentence(random), generateSentence(random)]));
  return blocks.join('\n\n');
}

function toParagraphBlock(text: string): string {
  return `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;
}

function toHeadingBlock(text: string): string {
  return `<!-- wp:heading -->\n<h2>${text}</h2>\n<!-- /wp:heading -->`;
}

function toListBlock(items: readonly string[]): string {
  return `<!-- wp:list -->\n<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>\n<!-- /wp:list -->`;
}

function fillPattern(random: SeededRandom, pattern: string): string {
  const text = Object.entries(WORD_LISTS).reduce(
    (sentence, [name, words]) => sentence.replace(`{${name}}`, () => random.pick<string>(words)),
    pattern,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

import type { Random } from '../../site/random.ts';

/** Sentences of the imagined paper of a small harbour town. `{x}` is replaced by a word of the list `x`. */
const WORDS = {
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

const SENTENCES = [
  'In {season}, {who} {did} {what} {when}.',
  '{who} {did} {what}, {why}.',
  'Nobody had {did} {what} {when}, so {who} began on Monday.',
  'What remains is {what}, which {who} {did} {why}.',
  'If you pass {what} this {season}, look for the plate that {who} left.',
] as const;

const TITLES = [
  'How {who} {did} {what}',
  'A walk to {what} in {season}',
  'Notes on {what}, {when}',
  'Why {who} {did} {what}',
  'Open day at {what} this {season}',
] as const;

export function writeSentence(random: Random): string {
  return filled(random, random.pick(SENTENCES));
}

export function writeTitle(random: Random): string {
  return filled(random, random.pick(TITLES));
}

export function writeParagraph(random: Random): string {
  return Array.from({ length: random.integer(3, 6) }, () => writeSentence(random)).join(' ');
}

/** Content in block markup, with a heading and a list now and then. */
export function writeContent(random: Random): string {
  const blocks = Array.from({ length: random.integer(2, 5) }, () => paragraph(writeParagraph(random)));
  if (random.chance(0.4)) blocks.splice(1, 0, heading(writeTitle(random)));
  if (random.chance(0.25)) blocks.push(list([writeSentence(random), writeSentence(random)]));
  return blocks.join('\n\n');
}

export function paragraph(text: string): string {
  return `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;
}

function heading(text: string): string {
  return `<!-- wp:heading -->\n<h2>${text}</h2>\n<!-- /wp:heading -->`;
}

function list(items: readonly string[]): string {
  return `<!-- wp:list -->\n<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>\n<!-- /wp:list -->`;
}

function filled(random: Random, pattern: string): string {
  const text = Object.entries(WORDS).reduce(
    (sentence, [name, words]) => sentence.replace(`{${name}}`, () => random.pick<string>(words)),
    pattern,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

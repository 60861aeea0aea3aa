import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

/** Sentences with more words are hard to read. */
const MAX_SENTENCE_WORDS = 35;
const MAX_CELL_WORDS = 25;

/** Phrases that a native speaker would not write, each with a better one. */
const PHRASES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bmay\b/, 'can, or might'],
  [/\b(?:what|that) is there\b/, 'the noun'],
  [/\bwhich\b[^.;:]*\b(?:has|have|runs?|needs?|is|are) none\b/, 'a negated verb'],
];

/** A definition begins with a noun. */
const RELATIVE_START = /^(?:What|Who|Whose|That|Those)\b/;

const DOCUMENTS = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('the documents', () => {
  test.each(DOCUMENTS)('%s is written in short sentences and plain words', (name) => {
    expect(listFaults(readFileSync(join(ROOT, name), 'utf8'))).toEqual([]);
  });

  test.each([
    ['a sentence of 36 words', `${'word '.repeat(35)}end.`],
    ['a cell of 26 words', `| ${'word '.repeat(25)}end |\n|---|`],
    ['may', 'A client may wait.'],
    ['a relative clause without a noun', 'It keeps what is there.'],
    ['a cell that begins with a relative clause', '| name | Those of the site |'],
  ])('a test finds %s', (_, text) => {
    expect(listFaults(text)).toHaveLength(1);
  });

  test.each([
    ['code', '```sh\nthis may run\n```\n'],
    [
      'a list of short items',
      Array(9)
        .fill(`- ${'word '.repeat(9)}`)
        .join('\n'),
    ],
    ['quoted code', 'The `may` of RFC 2119.'],
  ])('a test passes over %s', (_, text) => {
    expect(listFaults(text)).toEqual([]);
  });
});

/** Lists what is wrong with a text in Markdown. */
function listFaults(markdown: string): readonly string[] {
  const text = markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/<!--[\s\S]*?-->/g, '');
  return text.split(/\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.) ?)/).flatMap((block) => {
    if (!block.trimStart().startsWith('|')) return listSentenceFaults(block);
    const cells = block.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const long = cells.filter((cell) => countWords(cell) > MAX_CELL_WORDS);
    return [
      ...long.map((cell) => `${countWords(cell)} words in a cell: ${cell}`),
      ...cells.filter((cell) => RELATIVE_START.test(cell)).map((cell) => `begins without a noun: ${cell}`),
      ...cells.filter((cell) => !long.includes(cell)).flatMap(listSentenceFaults),
    ];
  });
}

function listSentenceFaults(block: string): readonly string[] {
  return block
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?:;]\)?)\s+(?=[A-Z`*"([])/)
    .flatMap((sentence) => {
      const plain = sentence.replace(/`[^`]*`/g, 'code');
      const wrong = PHRASES.filter(([pattern]) => pattern.test(plain));
      return [
        ...(countWords(plain) > MAX_SENTENCE_WORDS ? [`${countWords(plain)} words: ${sentence}`] : []),
        ...wrong.map(([, instead]) => `write ${instead}: ${sentence}`),
      ];
    });
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCUMENTS, ROOT, readSourceFiles } from './source-files.ts';

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
test('comments of the source are written in short sentences, and definitions begin with a noun', () => {
  const faults = readSourceFiles().flatMap(({ file, source }) =>
    listComments(source.text).flatMap((comment) => {
      const [first = ''] = comment.trim().split('\n');
      return [
        ...(RELATIVE_START.test(first) ? [`begins without a noun: ${first}`] : []),
        ...listFaults(comment),
      ].map((fault) => `${file}: ${fault}`);
    }),
  );
  expect(faults).toEqual([]);
});

/** The comments of a file without their marks, and without quotations: of an RFC, for example. */
function listComments(text: string): readonly string[] {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\/|((?:^[ \t]*\/\/.*\n)+)/gm)].map(([, block, lines = '']) =>
    (block ?? lines)
      .replaceAll(/^[ \t]*(?:\*|\/\/)(?!\/) ?/gm, '')
      .replaceAll(/^ {4}.*\n/gm, '')
      .replaceAll(/"[^"]*"/g, '"quotation"')
      .replaceAll(/\s+(?=@[a-z])/g, '\n\n'),
  );
}

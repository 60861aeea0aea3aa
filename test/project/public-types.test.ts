import ts from 'typescript';
import { expect, test } from 'vitest';
import { createSourceProgram, exampleTags, exportsOf, reachableTypes } from './declarations.ts';
import { EXPORTS } from './exports.ts';

const program = createSourceProgram(Object.values(EXPORTS).map(({ source }) => source));

test.each(Object.entries(EXPORTS))('%s exports every type that its declarations mention', (_, { source }) => {
  const exported = new Set(exportsOf(program, source).values());
  const missing = [...reachableTypes(program, exported)]
    .filter(([symbol]) => !exported.has(symbol))
    .map(([, name]) => name);
  expect(missing.sort()).toEqual([]);
});

test.each(Object.entries(EXPORTS))('%s documents each of its functions with an example', (_, { source }) => {
  const undocumented = [...exportsOf(program, source)]
    .filter(([, { declarations = [] }]) => declarations.some(ts.isFunctionDeclaration))
    .filter(([, symbol]) => exampleTags(symbol).length === 0)
    .map(([name]) => name);
  expect(undocumented).toEqual([]);
});

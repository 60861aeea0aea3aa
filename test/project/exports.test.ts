import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { EXPORTS } from './exports.ts';
import { ROOT, readSourceFiles } from './source-files.ts';

const modules = new Map(readSourceFiles().map((module) => [module.file, module]));

describe.each(Object.entries(EXPORTS))('%s', (_, { source, values }) => {
  const statements = modules.get(source)?.source.statements.flatMap(withSharedTypes) ?? [];

  test('exports these values and no other', () => {
    const names = statements.flatMap((statement) => {
      const clause = ts.isExportDeclaration(statement) && !statement.isTypeOnly && statement.exportClause;
      return clause && ts.isNamedExports(clause) ? [...clause.elements] : [];
    });
    expect(names.flatMap(({ isTypeOnly, name }) => (isTypeOnly ? [] : name.text)).sort()).toEqual(values);
  });

  test('is a list of named re-exports without stars and declarations', () => {
    const others = statements.filter(
      (statement) => !ts.isExportDeclaration(statement) || statement.exportClause === undefined,
    );
    expect(others.map((statement) => statement.getText())).toEqual([]);
  });
});

/** The types that both entries export are in a list of their own. */
function withSharedTypes(statement: ts.Statement): readonly ts.Statement[] {
  const isList = /^export type \* from '\.{1,2}\/port-types\.ts';$/.test(statement.getText());
  return isList ? (modules.get('port-types.ts')?.source.statements ?? []) : [statement];
}

test('package.json offers exactly these entries, each with its types', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const offered = Object.entries(EXPORTS).map(([entry, { source }]) => {
    const file = `./dist/${source.replace(/\.ts$/, '')}`;
    return [entry.replace(/^waygate/, '.'), { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  expect(exports).toEqual({ ...Object.fromEntries(offered), './package.json': './package.json' });
});

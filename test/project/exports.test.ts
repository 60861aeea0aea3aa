import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { EXPORTS } from './exports.ts';
import { ROOT, readSourceFiles } from './source-files.ts';

const modules = new Map(readSourceFiles().map((module) => [module.file, module]));

describe.each(Object.entries(EXPORTS))('%s', (_, { source, values, types }) => {
  const names = { value: [] as string[], type: [] as string[] };
  const statements = modules.get(source)?.source.statements.flatMap(withSharedTypes) ?? [];
  for (const statement of statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const clause = statement.exportClause;
    if (clause === undefined || !ts.isNamedExports(clause)) continue;
    for (const { name, isTypeOnly } of clause.elements) {
      names[statement.isTypeOnly || isTypeOnly ? 'type' : 'value'].push(name.text);
    }
  }

  test('exports these values and no other', () => {
    expect(names.value.sort()).toEqual(values);
  });

  test('exports these types and no other', () => {
    expect(names.type.sort()).toEqual(types);
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

import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSourceFiles } from './source-files.ts';

/** The names that a file declares and exports. Re-exports do not declare a name. */
function* exportedNames({ statements }: ts.SourceFile): Generator<string> {
  for (const statement of statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) continue;
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) yield name.getText();
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    ) {
      if (statement.name !== undefined) yield statement.name.text;
    }
  }
}

test('an exported name has one meaning: no two files declare the same one', () => {
  const files = new Map<string, Set<string>>();
  for (const { file, source } of readSourceFiles()) {
    // The runtime of generated clients is a package of its own: users see its names, and no other module imports it.
    if (file.startsWith('client/runtime/')) continue;
    for (const name of exportedNames(source)) files.set(name, (files.get(name) ?? new Set()).add(file));
  }
  const ambiguous = [...files]
    .filter(([, declaring]) => declaring.size > 1)
    .map(([name, declaring]) => `${name}: ${[...declaring].join(', ')}`);
  expect(files.size).toBeGreaterThan(1000);
  expect(ambiguous).toEqual([]);
});

import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './source-files.ts';

const SOURCES = join(ROOT, 'src/');
/** A checked program over the package's entry files, or over their declarations in another folder. */
export function createSourceProgram(entries: readonly string[], folder: string = SOURCES): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT);
  return ts.createProgram(
    entries.map((entry) => join(folder, entry)),
    options,
  );
}

/** The symbols that an entry file exports, by name, with aliases resolved. */
export function exportsOf(
  program: ts.Program,
  entry: string,
  folder: string = SOURCES,
): ReadonlyMap<string, ts.Symbol> {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(folder, entry));
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} is not a module`);
  return new Map(
    checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolveAlias(checker, symbol)]),
  );
}

/** The code of each `@example` in the documentation of a symbol. */
export function exampleTags(symbol: ts.Symbol): readonly string[] {
  return symbol
    .getJsDocTags()
    .filter(({ name }) => name === 'example')
    .map(({ text = [] }) =>
      text
        .map((part) => part.text)
        .join('')
        .replace(/^```\w*\n|\n```$/g, ''),
    );
}

function resolveAlias(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

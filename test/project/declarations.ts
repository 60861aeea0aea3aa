import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './source-files.ts';

const SOURCES = join(ROOT, 'src/');
/** Its types are reached by the members of the configuration: nobody imports them all by name. */
const OPTION_TYPES = join(SOURCES, 'config/option-types.ts');

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

/**
 * Every type of src/ that the public declarations of the symbols mention, directly or through other types, as
 * `Name (file)`. Private and `@internal` members do not count.
 */
export function reachableTypes(
  program: ts.Program,
  symbols: Iterable<ts.Symbol>,
): ReadonlyMap<ts.Symbol, string> {
  const checker = program.getTypeChecker();
  const found = new Map<ts.Symbol, string>();

  function visitSymbol(symbol: ts.Symbol): void {
    for (const declaration of symbol.declarations ?? []) {
      if (declaration.getSourceFile().fileName.startsWith(SOURCES)) visitDeclaration(declaration);
    }
  }

  function visitDeclaration(node: ts.Node): void {
    if (ts.isVariableDeclaration(node)) {
      if (node.type !== undefined) visitType(node.type);
    } else if (ts.isFunctionLike(node)) {
      for (const part of [...(node.typeParameters ?? []), ...node.parameters]) visitType(part);
      if (node.type !== undefined) visitType(node.type);
    } else if (ts.isClassLike(node)) {
      for (const clause of node.heritageClauses ?? []) visitType(clause);
      for (const member of node.members) {
        if (!isHidden(member)) visitDeclaration(member);
      }
    } else if (ts.isPropertyDeclaration(node)) {
      if (node.type !== undefined) visitType(node.type);
    } else {
      visitType(node);
    }
  }

  /** Visits type nodes only: a default value or a function body is not part of a declaration. */
  function visitType(node: ts.Node): void {
    // The build leaves out what is marked so (`stripInternal`).
    if (ts.isPropertySignature(node) && isInternal(node)) return;
    if (ts.isParameter(node)) {
      if (node.type !== undefined) visitType(node.type);
      return;
    }
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : ts.isTypeQueryNode(node)
          ? node.exprName
          : undefined;
    if (name !== undefined) visitReference(name);
    ts.forEachChild(node, visitType);
  }

  function visitReference(name: ts.Node): void {
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol === undefined) return;
    const target = resolveAlias(checker, symbol);
    const [declaration] = target.declarations ?? [];
    if (declaration === undefined || found.has(target)) return;
    // The type of a constant is a literal type, not a named one.
    if (ts.isTypeParameterDeclaration(declaration) || ts.isVariableDeclaration(declaration)) return;
    const { fileName } = declaration.getSourceFile();
    if (!fileName.startsWith(SOURCES) || fileName === OPTION_TYPES) return;
    found.set(target, `${target.name} (${fileName.slice(SOURCES.length)})`);
    visitSymbol(target);
  }

  for (const symbol of symbols) visitSymbol(symbol);
  return found;
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

function isInternal(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
}

function isHidden(member: ts.ClassElement): boolean {
  const isPrivateName = member.name !== undefined && ts.isPrivateIdentifier(member.name);
  return (
    isPrivateName ||
    isInternal(member) ||
    (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0
  );
}

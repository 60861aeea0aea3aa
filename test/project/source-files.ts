import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));

/** The Markdown files for users and contributors, e.g. `docs/operators/caching.md`. */
export const DOCUMENTS: readonly string[] = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** An `import` declaration, an `export … from` or an `import()` expression. */
interface Import {
  readonly specifier: string;
  /** For a relative specifier within `src/`, the file that it resolves to, relative to `src/`. */
  readonly target?: string;
  /** `type` imports do not exist at run time. `dynamic` is an `import()` expression. */
  readonly kind: 'value' | 'type' | 'dynamic';
}

/** A parsed file of `src/`. */
export interface SourceFile {
  /** Path relative to `src/`: `openapi/document.ts`. */
  readonly file: string;
  readonly source: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** Every TypeScript file below `src/`, sorted by path. They are parsed once for all test files of a process. */
export function readSourceFiles(): readonly SourceFile[] {
  sourceFiles ??= parseSourceFiles();
  return sourceFiles;
}

let sourceFiles: readonly SourceFile[] | undefined;

function parseSourceFiles(): readonly SourceFile[] {
  const files = readdirSync(new URL('../../src', import.meta.url), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
      return { file, source, imports: importsOf(file, source) };
    });
}

/** Returns the module of a file: its top folder below `src/`, or the file itself if it is in no folder. */
export function moduleOf(file: string): string {
  return file.split('/', 1)[0] ?? file;
}

function importsOf(file: string, source: ts.SourceFile): readonly Import[] {
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found !== undefined) {
      const target = posix.join(posix.dirname(file), found.specifier);
      imports.push(found.specifier.startsWith('.') ? { ...found, target } : found);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

function importOf(node: ts.Node): Omit<Import, 'target'> | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    const { moduleSpecifier } = node;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return undefined;
    return { specifier: moduleSpecifier.text, kind: isTypeOnly(node) ? 'type' : 'value' };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    const specifier = argument !== undefined && ts.isStringLiteral(argument) ? argument.text : '(computed)';
    return { specifier, kind: 'dynamic' };
  }
  return undefined;
}

/** `import type …`, or an import whose every name is marked `type` (verbatimModuleSyntax makes no others vanish). */
function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    const names =
      node.exportClause !== undefined && ts.isNamedExports(node.exportClause) ? node.exportClause : undefined;
    return node.isTypeOnly || (names?.elements.every((element) => element.isTypeOnly) ?? false);
  }
  const clause = node.importClause;
  if (clause === undefined || clause.isTypeOnly) return clause?.isTypeOnly ?? false;
  const names = clause.namedBindings;
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every((element) => element.isTypeOnly)
  );
}

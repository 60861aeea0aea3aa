import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The folder of the virtual files. It is in the project, so that its packages resolve. */
const FOLDER = dirname(fileURLToPath(import.meta.url));

/** The strictest compiler options that a user may have. */
const COMPILER_OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: false,
  isolatedDeclarations: true,
  declaration: true,
  verbatimModuleSyntax: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  skipLibCheck: true,
};

export interface TypeCheckResult {
  /** Every error as `file(line): TS0000 message`. */
  readonly errors: readonly string[];
  /** Returns the type of an exported alias, as an editor shows it. */
  typeOf(file: string, name: string): string;
  /** Returns the TSDoc tags that TypeScript parses at an exported name and its members. */
  tagsOf(file: string, name: string): readonly string[];
  /** Returns what an editor shows at the end of a text in a file, without its comment. */
  hoverAt(file: string, text: string): string;
}

/** The files of libraries, by path. Test files share this module, so that one process parses and binds them once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Creates a type checker for virtual files, by name. */
export function createTypeChecker(): (
  files: Readonly<Record<string, string>>,
  overrides?: ts.CompilerOptions,
) => TypeCheckResult {
  return (files, overrides = {}) => {
    const virtual = new Map(Object.entries(files).map(([name, text]) => [join(FOLDER, name), text]));
    const host = ts.createCompilerHost(COMPILER_OPTIONS);
    const program = ts.createProgram(
      [...virtual.keys()],
      { ...COMPILER_OPTIONS, ...overrides },
      {
        ...host,
        fileExists: (path) => virtual.has(path) || host.fileExists(path),
        // TypeScript looks for no file in a folder that does not exist.
        directoryExists: (path) =>
          [...virtual.keys()].some((file) => file.startsWith(`${path}/`)) ||
          host.directoryExists?.(path) === true,
        readFile: (path) => virtual.get(path) ?? host.readFile(path),
        getSourceFile(path, version) {
          const text = virtual.get(path);
          if (text !== undefined) return ts.createSourceFile(path, text, version);
          if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, version));
          return parsed.get(path);
        },
      },
    );
    const types = program.getTypeChecker();
    const readFile = (path: string) => virtual.get(path) ?? host.readFile(path);
    const service = ts.createLanguageService({
      getCompilationSettings: () => program.getCompilerOptions(),
      getCurrentDirectory: () => FOLDER,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      getScriptFileNames: () => [...virtual.keys()],
      getScriptVersion: () => '',
      getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(readFile(path) ?? ''),
      fileExists: (path) => readFile(path) !== undefined,
      readFile,
    });
    const exported = (file: string, name: string): ts.Symbol => {
      const source = program.getSourceFile(join(FOLDER, file));
      const module = source && types.getSymbolAtLocation(source);
      const symbol = module && types.getExportsOfModule(module).find((candidate) => candidate.name === name);
      if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
      return symbol;
    };
    return {
      errors: ts.getPreEmitDiagnostics(program).map(formatDiagnostic),
      typeOf: (file, name) =>
        types.typeToString(
          types.getDeclaredTypeOfSymbol(exported(file, name)),
          undefined,
          ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias,
        ),
      tagsOf(file, name) {
        const symbol = exported(file, name);
        const members = [...types.getDeclaredTypeOfSymbol(symbol).getProperties()];
        return [symbol, ...members].flatMap((member) => member.getJsDocTags().map((tag) => tag.name));
      },
      hoverAt(file, text) {
        const at = (virtual.get(join(FOLDER, file))?.indexOf(text) ?? 0) + text.length - 1;
        return ts.displayPartsToString(service.getQuickInfoAtPosition(join(FOLDER, file), at)?.displayParts);
      },
    };
  };
}

function formatDiagnostic(diagnostic: ts.Diagnostic): string {
  const { file, start = 0, code } = diagnostic;
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
  const line =
    file === undefined
      ? ''
      : `${file.fileName.split('/').at(-1)}(${file.getLineAndCharacterOfPosition(start).line + 1}): `;
  return `${line}TS${code} ${message}`;
}

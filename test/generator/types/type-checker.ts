import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { JsonObject } from '../../../src/base/json.ts';
import { compileFiles } from '../../support/compile.ts';

/** The folder of the virtual files. It is in the project, so that its packages resolve. */
const FOLDER = dirname(fileURLToPath(import.meta.url));

/** The strictest compiler options that a user may have. */
const OPTIONS: JsonObject = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: false,
  isolatedDeclarations: true,
  declaration: true,
  verbatimModuleSyntax: true,
  module: 'nodenext',
  allowImportingTsExtensions: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  skipLibCheck: true,
};

/** Compiles files by their names. @returns every error as `file(line): TS0000 message` */
export function listErrors(
  files: Readonly<Record<string, string>>,
  overrides: JsonObject = {},
): readonly string[] {
  const errors = compileFiles(Object.entries(files), { ...OPTIONS, ...overrides });
  return [...errors].flatMap(([file, messages]) =>
    messages.map((message) => file + message.replace(/^\((\d+),\d+\): error (\w+): /, '($1): $2 ')),
  );
}

export interface Editor {
  /** Returns errors by their line and column, from 0. */
  errorsOf(
    file: string,
  ): readonly { readonly line: number; readonly column: number; readonly message: string }[];
  /** Returns what an editor shows at the end of a text in a file, without its comment. */
  hoverAt(file: string, text: string): string;
  /** Returns the comment that an editor shows at the end of a text, and the line that "Go to definition" leads to. */
  jumpFrom(file: string, text: string): { readonly comment: string; readonly target: string };
}

/** Opens virtual files, by name, as an editor does, whose language service has the API of an older version of TypeScript. */
export function openEditor(files: Readonly<Record<string, string>>): Editor {
  const virtual = new Map(Object.entries(files).map(([name, text]) => [join(FOLDER, name), text]));
  const { options } = ts.convertCompilerOptionsFromJson(OPTIONS, FOLDER);
  const readFile = (path: string) => virtual.get(path) ?? ts.sys.readFile(path);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => FOLDER,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [...virtual.keys()],
    getScriptVersion: () => '',
    getScriptSnapshot(path) {
      const text = readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => virtual.has(path) || ts.sys.fileExists(path),
    // TypeScript looks for no file in a folder that does not exist.
    directoryExists: (path) =>
      [...virtual.keys()].some((file) => file.startsWith(`${path}/`)) || ts.sys.directoryExists(path),
    readFile,
  });
  const positionOf = (file: string, text: string) =>
    (virtual.get(join(FOLDER, file))?.indexOf(text) ?? 0) + text.length - 1;
  return {
    errorsOf: (file) =>
      service.getSemanticDiagnostics(join(FOLDER, file)).map(({ file: source, start = 0, messageText }) => {
        const { line = 0, character = 0 } = source?.getLineAndCharacterOfPosition(start) ?? {};
        return { line, column: character, message: ts.flattenDiagnosticMessageText(messageText, '\n') };
      }),
    hoverAt(file, text) {
      const info = service.getQuickInfoAtPosition(join(FOLDER, file), positionOf(file, text));
      return ts.displayPartsToString(info?.displayParts);
    },
    jumpFrom(file, text) {
      const [path, at] = [join(FOLDER, file), positionOf(file, text)];
      const [definition] = service.getDefinitionAtPosition(path, at) ?? [];
      const target = virtual.get(definition?.fileName ?? '')?.slice(definition?.textSpan.start) ?? '';
      return {
        comment: ts.displayPartsToString(service.getQuickInfoAtPosition(path, at)?.documentation),
        target: target.split('\n')[0] ?? '',
      };
    },
  };
}

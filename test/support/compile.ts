import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/base/json.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** The options of the programs that developers write. */
export const STRICT: JsonObject = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
};

/** Compiles files by their names. Packages of the repository resolve, and `../../src`. @returns the errors as `compileFolder` */
export function compileFiles(
  files: Iterable<readonly [name: string, text: string]>,
  compilerOptions: JsonObject = STRICT,
): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(join(MODULES, '.compiled-'));
  try {
    const all = [...files];
    const project = { compilerOptions, files: all.map(([name]) => name) };
    for (const [name, text] of [
      ...all,
      ['package.json', '{ "type": "module" }'] as const,
      ['tsconfig.json', JSON.stringify(project)] as const,
    ]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return compileFolder(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles a folder with the newest version of TypeScript. @returns the errors by file, each as `(1,2): error TS0000: …` */
export function compileFolder(folder: string): ReadonlyMap<string, readonly string[]> {
  const tsc = join(MODULES, 'typescript-7/bin/tsc');
  const { status, stderr, stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const errors = new Map<string, string[]>();
  // The lines below an error, which explain it, are indented.
  for (const line of stdout.split('\n').filter((text) => /^\S/.test(text))) {
    const [, file = line, message = ''] = /^([^(]+)(\(\d.*)$/.exec(line) ?? [];
    errors.set(file, [...(errors.get(file) ?? []), message.slice(0, 400)]);
  }
  if (status !== 0 && errors.size === 0) throw new Error(`the compiler failed: ${stderr}`);
  return errors;
}

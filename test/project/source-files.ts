import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** A file of `src/`. */
export interface SourceFile {
  /** Path relative to `src/`: `generator/openapi/document.ts`. */
  readonly file: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** Every TypeScript file below `src/`, sorted by path. */
export function readSourceFiles(): readonly SourceFile[] {
  const files = readdirSync(new URL('../../src', import.meta.url), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
      return { file, text, imports: importsOf(file, text) };
    });
}

/** Biome formats every statement like this. */
const STATEMENT = /^(?:import|export)\s+(type\s)?(?:([\w*$\s,{}]*?)\s+from\s+)?'(.+)'(?: with .+)?;$/gm;
const EXPRESSION = /(?<!typeof )\bimport\(\s*'(.+?)'\s*\)/g;

function importsOf(file: string, text: string): readonly Import[] {
  const found: Import[] = [];
  for (const [, type, names = '', specifier = ''] of text.matchAll(STATEMENT)) {
    const [, listed] = /^\{(.*)\}$/s.exec(names) ?? [];
    // An import whose every name is marked `type` (verbatimModuleSyntax makes no others vanish).
    const isType = type !== undefined || listed?.match(/[^\s,][^,]*/g)?.every((name) => /^type\s/.test(name));
    found.push({ specifier, kind: isType === true ? 'type' : 'value' });
  }
  for (const [, specifier = ''] of text.matchAll(EXPRESSION)) found.push({ specifier, kind: 'dynamic' });
  return found.map((each) => {
    const target = posix.join(posix.dirname(file), each.specifier);
    return each.specifier.startsWith('.') ? { ...each, target } : each;
  });
}

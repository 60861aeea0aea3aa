import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

/** A program written from the documentation of WordPress or WooCommerce, and the same with one mistake. */
export interface DocumentedProgram {
  /** `storefront-4-cart-02` */
  readonly name: string;
  /** What it does. */
  readonly title: string;
  readonly right: string;
  readonly wrong: string;
}

/** The site at which programs run. */
export interface ProgramSite {
  readonly baseUrl: string;
  readonly ids: Readonly<Record<string, number>>;
  readonly admin: { readonly username: string; readonly password: string };
  readonly customer: { readonly username: string; readonly password: string };
}

const FOLDER = fileURLToPath(new URL('documented', import.meta.url));

/** An address of a guest. */
const ADDRESS = {
  first_name: 'Peter',
  last_name: 'Venkman',
  company: '',
  address_1: '550 Central Park West',
  address_2: '',
  city: 'New York',
  state: 'NY',
  postcode: '10023',
  country: 'US',
  email: 'peter@example.com',
  phone: '555-2368',
};

/**
 * Reads the programs of a folder of `documented/`: in each file the text below a line `### <what it does>`. A line `//! <line>` replaces the
 * line before it in the version with the mistake.
 */
export async function readDocumentedPrograms(
  kind: 'storefront' | 'content',
): Promise<readonly DocumentedProgram[]> {
  const files = (await readdir(join(FOLDER, kind))).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(FOLDER, kind, file), 'utf8')));
  return texts.flatMap((text, index) =>
    text
      .split(/^### /m)
      .slice(1)
      .map((part, at) => {
        const end = part.indexOf('\n');
        const program = part.slice(end + 1);
        return {
          name: `${kind}-${files[index]?.replace('.txt', '')}-${String(at + 1).padStart(2, '0')}`,
          title: part.slice(0, end),
          right: program.replace(/^\/\/! .*\n/gm, ''),
          wrong: program.replace(/^.*\n\/\/! (.*\n)/m, '$1'),
        };
      }),
  );
}

/** Writes the module `setup.ts` that programs import. */
export function createSetup({ admin, baseUrl, customer, ids }: ProgramSite): string {
  const base = `baseUrl: ${JSON.stringify(baseUrl)}`;
  return `import { createClient, wooStore } from './client.ts';
export const ids = ${JSON.stringify(ids)};
export const address = ${JSON.stringify(ADDRESS)};
export const site = createClient({ ${base}, throw: true });
export const results = createClient({ ${base} });
export const admin = createClient({ ${base}, throw: true, auth: ${JSON.stringify(admin)} });
export const signedIn = createClient({ ${base}, throw: true, auth: ${JSON.stringify(customer)}, middleware: [wooStore()] });
export const visitor = () => createClient({ ${base}, throw: true, middleware: [wooStore()] });
export const careful = () => createClient({ ${base}, middleware: [wooStore()] });
`;
}

/** Makes a module of a program: it imports the names that it uses, and has a visitor of its own. */
export function withImports(text: string): string {
  const has = (name: string): boolean => new RegExp(`(?<![.\\w])${name}\\b(?!:)`).test(text);
  const names = ['address', 'admin', 'ids', 'results', 'signedIn', 'site'].filter(has);
  const visitors = Object.entries({ shop: 'visitor', attempt: 'careful' }).filter(([name]) => has(name));
  return `import assert from 'node:assert/strict';
import { ${[...names, ...visitors.map(([, create]) => create)].join(', ')} } from './setup.ts';
${visitors.map(([name, create]) => `const ${name} = ${create}();\n`).join('')}${text}
export {};
`;
}

/** Runs programs at a site, one after the other. @returns the errors by name */
export async function runPrograms(
  folder: string,
  site: ProgramSite,
  client: string,
  programs: readonly DocumentedProgram[],
): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'client.mjs'), emit(client));
  await writeFile(join(folder, 'setup.mjs'), emit(createSetup(site)));
  const failed = new Map<string, string>();
  for (const { name, right } of programs) {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, emit(withImports(right)));
    try {
      await import(/* @vite-ignore */ pathToFileURL(file).href);
    } catch (error) {
      failed.set(name, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  return failed;
}

function emit(text: string): string {
  const target = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpile(text, target).replace(/'\.\/(client|setup)\.ts'/g, "'./$1.mjs'");
}

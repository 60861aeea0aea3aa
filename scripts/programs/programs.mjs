// @ts-check
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ADDRESS } from './shop.mjs';

/** @typedef {typeof import('./programs.d.mts')} Programs */

const FOLDERS = ['storefront', 'content', 'boards'];
const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE)$/;
/** Clients whose calls return errors. Those of the others throw them. */
const RETURNING = /^(?:attempt|results)$/;

/** @type {Programs['readPrograms']} */
export async function readPrograms(base = new URL('.', import.meta.url)) {
  const programs = [];
  for (const folder of FOLDERS) {
    const url = new URL(`${folder}/`, base);
    for (const file of (await readdir(fileURLToPath(url))).sort()) {
      const parts = (await readFile(new URL(file, url), 'utf8')).split(/^### /m).slice(1);
      for (const [at, part] of parts.entries()) {
        const end = part.indexOf('\n');
        const text = part.slice(end + 1);
        programs.push({
          name: `${folder}-${file.replace('.txt', '')}-${String(at + 1).padStart(2, '0')}`,
          title: part.slice(0, end),
          right: text.replace(/^\/\/! .*\n/gm, ''),
          wrong: text.replace(/^.*\n\/\/! (.*\n)/m, '$1'),
        });
      }
    }
  }
  return programs;
}

/** @type {Programs['toOpenapiFetch']} */
export const toOpenapiFetch = (program) =>
  replaceCalls(program, (client, method, path, options, whole) => {
    const call = (/** @type {string} */ text) => (RETURNING.test(client) ? text : `ok(${text})`);
    if (!options) return call(whole);
    const params = ['path', 'query'].filter((name) => options.has(name)).map((name) => options.get(name));
    const rest = [...options].filter(([name]) => name !== 'path' && name !== 'query').map(([, text]) => text);
    const all = [...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []), ...rest];
    return call(`${client}.${method}('${path}', { ${all.join(', ')} })`);
  });

/** @type {Programs['toHeyApi']} */
export const toHeyApi = (operationIds) => (program) =>
  replaceCalls(program, (client, method, path, options) => {
    const name = operationIds.get(`${method} ${path}`) ?? 'noSuchOperation';
    const given = RETURNING.test(client) ? [] : ['throwOnError: true'];
    return `sdk.${name}({ ${[`client: ${client}`, ...given, ...(options?.values() ?? [])].join(', ')} })`;
  });

/**
 * @param {string} program
 * @param {(client: string, method: string, path: string, options: ReadonlyMap<string, string> | undefined, whole: string) => string} translate
 *   `options` are the texts of the second argument's properties
 */
function replaceCalls(program, translate) {
  const source = ts.createSourceFile('program.ts', program, ts.ScriptTarget.Latest, true);
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { expression, name } = node.expression;
    const [path, options] = node.arguments;
    if (!METHODS.test(name.text) || !path || !ts.isStringLiteral(path)) return;
    const members =
      options && ts.isObjectLiteralExpression(options)
        ? new Map(options.properties.map((each) => [each.name?.getText() ?? '', each.getText()]))
        : undefined;
    const text = translate(expression.getText(), name.text, path.text, members, node.getText());
    edits.push({ start: node.getStart(), end: node.getEnd(), text });
  };
  visit(source);
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), program);
}

/** @type {Programs['commonSetup']} */
export function commonSetup({ ids }) {
  return `export const ids = ${JSON.stringify(ids)};\nexport const address = ${JSON.stringify(ADDRESS)};\n`;
}

/** @type {Programs['setupOfWaygate']} */
export function setupOfWaygate(setup) {
  const base = `baseUrl: ${JSON.stringify(setup.baseUrl)}`;
  return `import { createClient, wooStore } from './client.ts';
${commonSetup(setup)}
export const site = createClient({ ${base}, throw: true });
export const results = createClient({ ${base} });
export const admin = createClient({ ${base}, throw: true, auth: ${JSON.stringify(setup.admin)} });
export const signedIn = createClient({ ${base}, throw: true, auth: ${JSON.stringify(setup.customer)}, middleware: [wooStore()] });
export const visitor = () => createClient({ ${base}, throw: true, middleware: [wooStore()] });
export const careful = () => createClient({ ${base}, middleware: [wooStore()] });
`;
}

/** @type {Programs['withImports']} */
export function withImports(text) {
  const has = (/** @type {string} */ name) => new RegExp(`(?<![.\\w])${name}\\b(?!:)`).test(text);
  const names = ['address', 'admin', 'ids', 'ok', 'results', 'sdk', 'signedIn', 'site'].filter(has);
  const visitors = Object.entries({ shop: 'visitor', attempt: 'careful' }).filter(([name]) => has(name));
  return `import assert from 'node:assert/strict';
import { ${[...names, ...visitors.map(([, create]) => create)].join(', ')} } from './setup.ts';
${visitors.map(([name, create]) => `const ${name} = ${create}();\n`).join('')}${text}
export {};
`;
}

/** @type {Programs['runPrograms']} */
export async function runPrograms(folder, setup, client, programs) {
  await writeFiles(folder, { 'client.mjs': emit(client), 'setup.mjs': emit(setupOfWaygate(setup)) });
  /** @type {Map<string, string>} */
  const failed = new Map();
  for (const { file, text } of programs) {
    await writeFiles(folder, { [`${file}.mjs`]: emit(withImports(text)) });
    try {
      await import(/* @vite-ignore */ pathToFileURL(join(folder, `${file}.mjs`)).href);
    } catch (error) {
      failed.set(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  return failed;
}

/** @param {string} text */
function emit(text) {
  const target = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpile(text, target).replace(/'\.\/(client|setup)\.ts'/g, "'./$1.mjs'");
}

/** @type {Programs['writeFiles']} */
export async function writeFiles(folder, files) {
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(folder, file), text)));
}

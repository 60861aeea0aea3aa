// @ts-check
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * A program, and the same with one mistake.
 *
 * @typedef {object} Program
 * @property {string} name `storefront-4-cart-02`
 * @property {string} title what it does
 * @property {string} right
 * @property {string} wrong
 */

/** How a client is called: its setup module exports the names that programs use. */
/** @typedef {(program: string) => string} Translation */

const FOLDERS = ['storefront', 'content'];
const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE)$/;

/**
 * Reads the programs of a folder: in each file the text below a line `### <what it does>`. A line `//! <line>` is the one before with the
 * mistake.
 *
 * @param {string | URL} [base] with the folders
 * @returns {Promise<readonly Program[]>}
 */
export async function readPrograms(base = new URL('.', import.meta.url)) {
  /** @type {Program[]} */
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

/**
 * Programs are written for waygate's client. openapi-fetch calls path and query `params`, and its `data` may be undefined: `ok` throws.
 *
 * @type {Translation}
 */
export const toOpenapiFetch = (program) =>
  replaceCalls(program, (_client, _method, path, options, whole) => {
    if (!options) return `ok(${whole})`;
    const params = ['path', 'query'].filter((name) => options.has(name)).map((name) => options.get(name));
    const rest = [...options].filter(([name]) => name !== 'path' && name !== 'query').map(([, text]) => text);
    const all = [...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []), ...rest];
    return `ok(${_client}.${_method}('${path}', { ${all.join(', ')} }))`;
  });

/**
 * hey-api has a function for each operation.
 *
 * @param {ReadonlyMap<string, string>} operationIds by `GET /path`
 * @returns {Translation}
 */
export const toHeyApi = (operationIds) => (program) =>
  replaceCalls(program, (client, method, path, options) => {
    const name = operationIds.get(`${method} ${path}`) ?? 'noSuchOperation';
    return `sdk.${name}({ ${[`client: ${client}`, 'throwOnError: true', ...(options?.values() ?? [])].join(', ')} })`;
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

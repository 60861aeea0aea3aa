// @ts-check
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { buildModules, root } from '../build/bundle.mjs';

/** Name of the global function that each function of the build calls first, with its number. */
export const MARKER = '__waygateTrace';

/**
 * A function of `src`.
 *
 * @typedef {object} SourceFunction
 * @property {string} file path below the project's root
 * @property {number} line
 * @property {string} name name of the function, after those of the functions and classes that contain it
 */

/**
 * Builds `src` into a temporary folder, one module for each source file. Each function first calls the function
 * {@link MARKER}, because V8's coverage has no order. The number in the call is the function's index in `functions`.
 */
export async function buildMarked() {
  /** @type {SourceFunction[]} */
  const functions = [];
  // Below the project's root, so that packages are found. Several traces may run at the same time.
  const folder = join(root, 'node_modules/.cache', `waygate-trace-${process.pid}`);
  await buildModules(folder, [
    {
      name: 'mark-functions',
      transform: {
        filter: { id: /\.tsx?$/ },
        handler: (code, id) => markFunctions(code, relative(root, id).replaceAll('\\', '/'), functions),
      },
    },
  ]);
  return {
    functions,
    /** @param {string} module path below `src`, without the extension */
    load: (module) => import(pathToFileURL(join(folder, `${module}.js`)).href),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Adds a call of the marker to each function of a module.
 *
 * @param {string} code
 * @param {string} file
 * @param {SourceFunction[]} functions appended to
 */
function markFunctions(code, file, functions) {
  /** @type {{ at: number, text: string }[]} */
  const insertions = [];
  /** @param {any} node @param {readonly string[]} scope @param {string} [given] name by what the value is assigned to */
  const visit = (node, scope, given) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const item of node) visit(item, scope);
      return;
    }
    let inner = scope;
    if (isFunction(node)) {
      inner = [...scope, node.id?.name ?? given ?? '(anonymous)'];
      const line = code.slice(0, node.start).split('\n').length;
      const call = `${MARKER}(${functions.push({ file, line, name: inner.join(' > ') }) - 1})`;
      const { start, end, type } = node.body;
      if (type === 'BlockStatement') insertions.push({ at: start + 1, text: `${call};` });
      else insertions.push({ at: start, text: `(${call},` }, { at: end, text: ')' });
    } else if (/^Class/.test(node.type) && node.body?.type === 'ClassBody') {
      inner = [...scope, node.id?.name ?? given ?? '(class)'];
    }
    const name = nameOf(node);
    for (const [key, child] of Object.entries(node))
      visit(child, inner, key === 'value' || key === 'init' || key === 'right' ? name : undefined);
  };
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file), []);
  let marked = '';
  let done = 0;
  // At equal offsets the order of insertion holds: a body that ends with another one closes the inner one first.
  for (const { at, text } of insertions.sort((a, b) => a.at - b.at)) {
    marked += code.slice(done, at) + text;
    done = at;
  }
  return { code: marked + code.slice(done) };
}

/** @param {any} node */
function isFunction(node) {
  return /^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type) && node.body;
}

/** Name of what a node assigns its value to. @param {any} node @returns {string | undefined} */
function nameOf({ type, id, key, kind, left }) {
  if (type === 'VariableDeclarator') return id.name;
  if (type === 'AssignmentExpression') return left.property?.name ?? left.name;
  const name = key?.name ?? key?.value;
  return kind === 'get' || kind === 'set' ? `${kind} ${name}` : name;
}

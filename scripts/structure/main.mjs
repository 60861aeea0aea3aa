// @ts-check
// npm run structure [-- <checkout>] [--json]
// npm run structure -- --against <checkout> [--of <path>…]…
//
// Prints the size and the shape of this checkout or of another one: lines by folder (code, comments, imports, JSON, tests), files
// with one importer, interfaces with one implementation, the modules with the arrows and circles of their imports, and the words
// of the documents. With `--against`, prints the lines of TypeScript, TSX and CSS, of JSON and of tests by folder, and the words by
// document, in both checkouts instead. Each `--of`
// adds a row with the sum of the files whose paths begin with one of its paths, separated by commas: `--of src/pcre,test/pcre`.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { asTable } from '../bench/table.mjs';
import { readOptions } from '../options.mjs';

/** Files with fewer lines are counted as short. */
const SHORT = 25;

/** Code of the product, JSON and tests are told apart by these patterns. */
const KINDS = {
  code: /^src\/.*\.(?:tsx?|css)$/,
  JSON: /^src\/.*\.json$/,
  tests: /^test\/.*\.tsx?$/,
};
/** The example sites are counted apart. */
const EXAMPLES = /^(?:src|test)\/(?:example|rest-server)\//;

const { positionals, values } = readOptions(import.meta.url, {
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    against: { type: 'string' },
    of: { type: 'string', multiple: true, default: [] },
  },
});
const checkout = resolve(positionals[0] ?? fileURLToPath(new URL('../..', import.meta.url)));
const files = readFiles(join(checkout, 'src'));
const sizes = readSizes(checkout);
const result =
  values.against === undefined
    ? { folders: countFolders(), structure: describeStructure() }
    : { folders: compareSizes(readSizes(resolve(values.against)), sizes, values.of), structure: {} };
const before = values.against === undefined ? undefined : readWords(resolve(values.against));
const words = listWords(readWords(checkout), before);
if (values.json) console.log(JSON.stringify({ ...result, words }, null, 2));
else {
  console.log(asTable({ case: 'lines', contenders: result.folders }));
  for (const [name, value] of Object.entries(result.structure))
    console.log(`${String(value).padStart(6)}  ${name}`);
  console.log(asTable({ case: 'words', contenders: words }));
}

/**
 * Words of the README and of the guides: pieces with a letter or a digit. Documents are known by their names, whatever their folder.
 *
 * @param {string} from @returns {ReadonlyMap<string, number>}
 */
function readWords(from) {
  const guides = readdirSync(join(from, 'docs'), { recursive: true, encoding: 'utf8' });
  const paths = [
    'README.md',
    ...guides.filter((path) => path.endsWith('.md')).map((path) => join('docs', path)),
  ];
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(from, path), 'utf8');
      return [posix.basename(path), text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length];
    }),
  );
}

/** @param {ReadonlyMap<string, number>} now @param {ReadonlyMap<string, number>} [earlier] */
function listWords(now, earlier) {
  const names = [...new Set([...(earlier?.keys() ?? []), ...now.keys()])];
  /** @param {ReadonlyMap<string, number>} counts @param {string} name */
  const countOf = (counts, name) =>
    name === 'all documents'
      ? [...counts.values()].reduce((sum, count) => sum + count, 0)
      : (counts.get(name) ?? 0);
  return [...names, 'all documents'].map((document) => ({
    document,
    ...(earlier === undefined ? {} : { before: countOf(earlier, document) }),
    after: countOf(now, document),
  }));
}

/**
 * A file of `src`.
 *
 * @typedef {object} File
 * @property {string} path
 * @property {readonly string[]} lines
 * @property {any} ast `null` for style sheets
 * @property {ReadonlySet<string>} targets files that it imports
 */

/** @param {string} source @returns {readonly File[]} */
function readFiles(source) {
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:tsx?|css)$/.test(path),
  );
  return paths.sort().map((path) => {
    const text = readFileSync(join(source, path), 'utf8');
    const ast = path.endsWith('.css') ? null : parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
    const specifiers = [
      ...text.matchAll(/(?:^(?:import|export)\b[^;]*?from |^import |\bimport\()'(\.[^']+)'/gm),
    ];
    const targets = new Set(specifiers.map(([, target = '']) => posix.join(dirname(path), target)));
    return { path, lines: text.replace(/\n$/, '').split('\n'), ast, targets };
  });
}

/**
 * A counted file: its path in the checkout, such as `test/model/names.test.ts`, and its lines.
 *
 * @typedef {object} Size
 * @property {string} path
 * @property {number} lines
 */

/** @param {string} from a checkout @returns {readonly Size[]} code, JSON and tests */
function readSizes(from) {
  return ['src', 'test', 'scripts', 'generated', 'examples'].flatMap((folder) =>
    readdirSync(join(from, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|css|json|mjs|mts|php)$/.test(path))
      .map((path) => ({
        path: posix.join(folder, path),
        lines: readFileSync(join(from, folder, path), 'utf8').split('\n').length - 1,
      })),
  );
}

/** @param {readonly Size[]} counted @param {(path: string) => boolean} isCounted */
function sumLines(counted, isCounted) {
  return counted.reduce((sum, { lines, path }) => sum + (isCounted(path) ? lines : 0), 0);
}

/**
 * Lines of each kind by folder in two checkouts.
 *
 * @param {readonly Size[]} before @param {readonly Size[]} after @param {readonly string[]} groups
 */
function compareSizes(before, after, groups) {
  /** @param {string} folder @param {(path: string) => boolean} isCounted */
  const toRow = (folder, isCounted) => ({
    folder,
    ...Object.fromEntries(
      Object.entries(KINDS).flatMap(([kind, pattern]) => {
        const wanted = (/** @type {string} */ path) => pattern.test(path) && isCounted(path);
        return [
          [`${kind} before`, sumLines(before, wanted)],
          [`${kind} after`, sumLines(after, wanted)],
        ];
      }),
    ),
  });
  /** @param {string} path */
  const folderOf = (path) => (/^(?:src|test)\/([^/]+)\//.exec(path) ?? [])[1] ?? '(files)';
  const kept = [...before, ...after].filter(({ path }) => /^(?:src|test)\//.test(path));
  const folders = [...new Set(kept.map(({ path }) => folderOf(path)))].sort();
  return [
    ...folders.map((folder) => toRow(folder, (path) => folderOf(path) === folder)),
    toRow('all', () => true),
    toRow('without example sites', (path) => !EXAMPLES.test(path)),
    ...groups.map((group) => toRow(group, (path) => group.split(',').some((part) => path.startsWith(part)))),
  ];
}

/** The top folder of a file; files beside the folders are a module each. @param {string} path */
function moduleOf(path) {
  return path.split('/', 1)[0] ?? path;
}

/** Lines by folder. */
function countFolders() {
  const names = [...new Set(files.map(({ path }) => (path.includes('/') ? moduleOf(path) : '(files)')))];
  const rows = names.map((folder) => ({
    folder,
    ...countLines(files.filter(({ path }) => (path.includes('/') ? moduleOf(path) : '(files)') === folder)),
    ...countOthers(
      (path) =>
        path.startsWith(folder === '(files)' ? '' : `${folder}/`) &&
        (folder !== '(files)' || !path.includes('/')),
    ),
  }));
  const all = { folder: 'all', ...countLines(files), ...countOthers(() => true) };
  return [...rows.sort((a, b) => b.lines - a.lines), all];
}

/** Lines of JSON and of tests. @param {(path: string) => boolean} isWanted takes a path below `src` or `test` */
function countOthers(isWanted) {
  /** @param {RegExp} kind */
  const count = (kind) =>
    sumLines(sizes, (path) => kind.test(path) && isWanted(path.slice(path.indexOf('/') + 1)));
  return { JSON: count(KINDS.JSON), tests: count(KINDS.tests) };
}

/** @param {readonly File[]} counted */
function countLines(counted) {
  const kinds = counted.flatMap(({ ast, lines }) => kindsOfLines(lines, ast));
  /** @param {string} kind */
  const count = (kind) => kinds.filter((each) => each === kind).length;
  return {
    files: counted.length,
    lines: kinds.length,
    code: count('code'),
    comments: count('comment'),
    imports: count('import'),
    blank: count('blank'),
  };
}

/** @param {readonly string[]} lines @param {any} ast */
function kindsOfLines(lines, ast) {
  const imports = new Set();
  let offset = 0;
  const starts = lines.map((line) => {
    const start = offset;
    offset += line.length + 1;
    return start;
  });
  for (const { end, source, start, type } of ast?.body ?? []) {
    if (type !== 'ImportDeclaration' && !(type.startsWith('Export') && source)) continue;
    for (const [at, first] of starts.entries()) if (first >= start && first < end) imports.add(at);
  }
  let isComment = false;
  return lines.map((line, at) => {
    const text = line.trim();
    if (text.startsWith('/*')) isComment = true;
    const kind =
      isComment || text.startsWith('//')
        ? 'comment'
        : text === ''
          ? 'blank'
          : imports.has(at)
            ? 'import'
            : 'code';
    if (text.includes('*/')) isComment = false;
    return kind;
  });
}

function describeStructure() {
  const known = new Set(files.map(({ path }) => path));
  const arrows = files.flatMap(({ path, targets }) =>
    [...targets].filter((target) => known.has(target)).map((target) => [path, target]),
  );
  /** @type {Map<string, Set<string>>} */
  const importers = new Map();
  for (const [from = '', to = ''] of arrows) importers.set(to, new Set([...(importers.get(to) ?? []), from]));
  const modules = new Set(files.map(({ path }) => moduleOf(path)));
  const moduleArrows = new Set(
    arrows
      .map(([from = '', to = '']) => `${moduleOf(from)} ${moduleOf(to)}`)
      .filter((arrow) => !/^(\S+) \1$/.test(arrow)),
  );
  const declarations = files.flatMap(({ ast }) =>
    (ast?.body ?? []).map((/** @type {any} */ each) => each.declaration ?? each),
  );
  const interfaces = declarations.filter(({ type }) => type === 'TSInterfaceDeclaration');
  const carriers = interfaces.filter(({ id }) => /(?:Options|Context)$/.test(id.name));
  const typeNames = declarations
    .filter(
      ({ type }) =>
        type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration' || type === 'ClassDeclaration',
    )
    .map(({ id }) => id?.name ?? '');
  return {
    files: files.length,
    'files with one importer': [...importers.values()].filter(({ size }) => size === 1).length,
    [`files of fewer than ${SHORT} lines`]: files.filter(({ lines }) => lines.length < SHORT).length,
    interfaces: interfaces.length,
    'interfaces with methods and one implementation': countSingleImplementations(interfaces, declarations),
    'interfaces named …Options or …Context': carriers.length,
    'lines of these': carriers.reduce((sum, { end, start }) => sum + linesBetween(start, end), 0),
    'types that end in Request': typeNames.filter((name) => name.endsWith('Request')).length,
    modules: modules.size,
    'arrows between modules': moduleArrows.size,
    'arrows between files': arrows.length,
    'circles of modules': countCircles([...moduleArrows].map((arrow) => arrow.split(' '))),
    'circles of files': countCircles(arrows),
  };

  /** @param {number} start @param {number} end */
  function linesBetween(start, end) {
    const file = files.find(({ ast }) =>
      ast?.body.some(
        (/** @type {any} */ each) =>
          each.start <= start && end <= each.end && (each.declaration ?? each).start === start,
      ),
    );
    return file === undefined ? 0 : file.lines.join('\n').slice(start, end).split('\n').length;
  }
}

/**
 * Counts interfaces with methods that one class implements, or one function creates, and none else.
 *
 * @param {readonly any[]} interfaces @param {readonly any[]} declarations
 */
function countSingleImplementations(interfaces, declarations) {
  /** @type {Map<string, number>} */
  const implementations = new Map();
  /** @param {string | undefined} name */
  const add = (name) => name !== undefined && implementations.set(name, (implementations.get(name) ?? 0) + 1);
  for (const declaration of declarations) {
    if (declaration.type === 'ClassDeclaration') {
      for (const { expression } of declaration.implements ?? []) add(expression.name);
    } else if (declaration.type === 'FunctionDeclaration' && /^create/.test(declaration.id?.name)) {
      add(declaration.returnType?.typeAnnotation.typeName?.name);
    }
  }
  /** @param {any} member */
  const isMethod = ({ type, typeAnnotation }) =>
    type === 'TSMethodSignature' || typeAnnotation?.typeAnnotation.type === 'TSFunctionType';
  return interfaces.filter(({ body, id }) => body.body.some(isMethod) && implementations.get(id.name) === 1)
    .length;
}

/** Counts the strongly connected groups of more than one node (Tarjan). @param {readonly string[][]} arrows */
function countCircles(arrows) {
  /** @type {Map<string, string[]>} */
  const next = new Map();
  for (const [from = '', to = ''] of arrows) next.set(from, [...(next.get(from) ?? []), to]);
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {Map<string, number>} */
  const lowest = new Map();
  /** @type {string[]} */
  const stack = [];
  let circles = 0;
  /** @param {string} node */
  const visit = (node) => {
    order.set(node, order.size);
    lowest.set(node, order.get(node) ?? 0);
    stack.push(node);
    for (const target of next.get(node) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) circles += 1;
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return circles;
}

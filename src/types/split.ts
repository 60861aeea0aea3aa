import { findNamespace } from '../discovery/site.ts';
import { groupBy, sortByKey } from '../group-by.ts';
import { printTypeList } from './module.ts';
import { toStringLiteral } from './names.ts';

/** The interfaces whose members are operations: each part has its own, and the entry has all of them. */
const OPERATION_MAPS: Readonly<Record<'types' | 'client', RegExp>> = {
  types: /^export interface (paths|operations) \{\n/,
  client: /^export interface ((?:Paged|Get|Post|Put|Patch|Delete)Operations) (?:extends (\w+) )?\{\n/,
};

/** A member of such an interface, its key, and the operations that a path refers to. */
const MEMBER = { types: /[\s\S]*?\n {2}\};\n/g, client: /.+\n/g };
const MEMBER_KEY = /^ {2}("(?:[^"\\]|\\.)*"|[\w$]+): /m;
const OPERATION_ID = /^ {4}\w+: operations\[("(?:[^"\\]|\\.)*")\];$/gm;

const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const DECLARED = /^(?:export )?(?:interface|type) ([^\s<]+)/gm;
const EXPORTED = /^export (?:interface|type) ([^\s<]+)/gm;
/** A name that is not the key of a member. */
const USED = /(?<![\p{ID_Continue}$])([\p{ID_Start}_$][\p{ID_Continue}$]*)(?![\p{ID_Continue}$]|\??:)/gu;

/** The part with what several namespaces use, or the client itself. */
const SHARED = 'shared';

/** Names of no namespace's part: that of {@link SHARED}, and devices, which Windows takes for no file. */
const RESERVED = /^(?:shared|con|prn|aux|nul|com\d|lpt\d)$/;

/** The end of a part's banner. @param base name of the entry, without `.ts` */
const partMark = (base: string): string => `\n * A part of ../${base}.ts: import that.\n */`;

/** Whether a text is a part of a module, and no file of a user. */
export function isPart(text: string, base: string): boolean {
  return text.replaceAll('\r\n', '\n').includes(partMark(base));
}

/**
 * Splits a generated module into an entry, which programs import, and parts, which have types alone: for each namespace its
 * operations and the types that nothing else uses, and one for the other types.
 *
 * @param base name of the entry without `.ts`, and of the folder of the parts
 * @returns the texts by file, the entry last
 */
export function splitModule(
  module: string,
  kind: 'types' | 'client',
  base: string,
  namespaces: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const [banner = '', ...texts] = module.trimEnd().split(/\n\n(?=\S)/);
  const isStatement = (text: string) => !text.startsWith('// ── ') && !OPERATION_MAPS[kind].test(text);
  const statements = texts.filter(isStatement);
  const end = kind === 'types' ? texts.length : texts.findIndex((text) => text.startsWith('// ── Client '));
  const runtime = new Set(texts.slice(end));
  const declared = new Map(
    statements.flatMap((text) => namesIn(text, DECLARED).map((name) => [name, text] as const)),
  );
  // `components` refers to the types of all parts, and moves none.
  const usedBy = (text: string) =>
    namesIn(text, USED).flatMap((name) => (name === 'components' ? [] : (declared.get(name) ?? [])));
  /** The part of each statement; of none that stays in the entry. */
  const parts = new Map<string | undefined, string>();
  const assign = (part: string, first: readonly string[]): void => {
    // The loop also visits the statements that it adds.
    const reached = new Set(first);
    for (const text of reached) {
      const known = parts.get(text);
      if (known === part || known === SHARED) continue;
      parts.set(text, known === undefined ? part : SHARED);
      for (const used of usedBy(text)) reached.add(used);
    }
  };
  const maps: string[] = [];
  const roots: string[] = [];
  const partOfMember = createMemberReader(namespaces);
  for (const text of texts) {
    const [head, name, inherited] = OPERATION_MAPS[kind].exec(text) ?? [];
    if (head === undefined) continue;
    const members = groupBy(text.slice(head.length).match(MEMBER[kind]) ?? [], partOfMember);
    for (const [part, own] of members) {
      const root = `export interface ${name} {\n${own.join('')}}`;
      roots.push(root);
      assign(part, [root]);
    }
    const bases = Array.from(members.keys(), (part) => `${toAlias(part)}.${name}`);
    if (inherited !== undefined) bases.unshift(inherited);
    maps.push(`export interface ${name} ${bases.length > 0 ? `extends ${bases.join(', ')} ` : ''}{}`);
  }
  for (const text of statements) if (!runtime.has(text) && !parts.has(text)) parts.set(text, SHARED);
  const rest = statements.filter((text) => !parts.has(text));
  const usedByRest = rest.flatMap(usedBy).filter((text) => parts.has(text));
  assign(SHARED, usedByRest);

  const withImports = (list: readonly string[], folder: string, own?: string): readonly string[] => {
    const names = [...new Set(list.flatMap((text) => namesIn(text, USED)))].sort();
    const imports = [...groupBy(names, (name) => parts.get(declared.get(name)))].flatMap(([part, used]) =>
      part === undefined || part === own ? [] : printTypeList('import', used, `${folder}/${part}.ts`),
    );
    return [...imports, ...list];
  };
  const start = banner.slice(0, banner.indexOf('\n', banner.indexOf(' * Generated by ')));
  const exports: string[] = [];
  const files = new Map<string, string>();
  const all = [...roots, ...statements].filter((text) => parts.has(text));
  for (const [part, own] of sortByKey(groupBy(all, (text) => parts.get(text) ?? SHARED))) {
    const path = `./${base}/${part}.ts`;
    if (part === SHARED) {
      const names = own.flatMap((text) => namesIn(text, EXPORTED));
      exports.push(printTypeList('export', names, path));
    } else {
      const from = `from ${toStringLiteral(path)};`;
      exports.push(`import type * as ${toAlias(part)} ${from}\nexport type * ${from}`);
    }
    const text = print([`${start}\n *${partMark(base)}`, ...withImports(own, '.', part)]);
    // Several files use declarations that are private in a module of one file.
    const isShared = part === SHARED;
    files.set(`${base}/${part}.ts`, isShared ? text.replace(/^(?=(?:interface|type) )/gm, 'export ') : text);
  }
  return files.set(
    `${base}.ts`,
    print([banner, ...exports, ...withImports([...maps, ...rest], `./${base}`)]),
  );
}

/** Creates a function that finds the part of a member: of a path, or of an operation by its id. Paths come first. */
function createMemberReader(namespaces: ReadonlySet<string>): (member: string) => string {
  const partsOfIds = new Map<string, string>();
  return (member) => {
    const key = MEMBER_KEY.exec(member)?.[1]?.replaceAll('"', '') ?? '';
    const part = partsOfIds.get(key) ?? partOf(key, namespaces);
    for (const [, id = ''] of member.matchAll(OPERATION_ID)) partsOfIds.set(id.replaceAll('"', ''), part);
    return part;
  };
}

/**
 * Names the part of a path: `wp-v2` for those of `wp/v2`; without a namespace, after the first segment. The name depends on nothing
 * else, so namespaces that differ in case or punctuation alone share a part.
 */
function partOf(path: string, namespaces: ReadonlySet<string>): string {
  const namespace = findNamespace(path, namespaces) || (path.split('/')[1] ?? '');
  const words = namespace.toLowerCase().match(/[a-z0-9]+/g) ?? ['other'];
  const name = words.join('-').slice(0, 80);
  return RESERVED.test(name) ? `_${name}` : name;
}

/** The name of a part in the entry. */
function toAlias(part: string): string {
  return `_${part.replaceAll('-', '_')}`;
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.replace(COMMENT_OR_STRING, '').matchAll(pattern), ([, name = '']) => name);
}

function print(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

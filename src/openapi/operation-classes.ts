import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import TABLE from '../model/conventions/operation-classes.json' with { type: 'json' };
import type { Operation } from './operations.ts';
import { contentSchemaOf, flattenSchema } from './schema-view.ts';

/** The effect of a call, e.g. reading, or changing the site's settings. */
export interface CallClass {
  readonly name: 'administration' | 'content' | 'deletion' | 'read';
  /** E.g. "It changes users, their rights or their passwords." */
  readonly reason: string;
}

/** A row applies if its method is listed, and the path, a word of the name or an argument matches. */
interface Row extends CallClass {
  readonly methods: ReadonlySet<string>;
  readonly path: RegExp | undefined;
  readonly words: ReadonlySet<string>;
  readonly arguments: ReadonlySet<string>;
}

const split = (names: string | undefined): ReadonlySet<string> => new Set(names?.split(' ') ?? []);

const toClassName = (name: string): CallClass['name'] =>
  name === 'read' || name === 'content' || name === 'deletion' ? name : 'administration';

interface DeclaredRow {
  readonly class: string;
  readonly reason: string;
  readonly methods: string;
  readonly path?: string;
  readonly words?: string;
  readonly arguments?: string;
}

const ROWS: readonly Row[] = TABLE.operations.map((row: DeclaredRow) => ({
  name: toClassName(row.class),
  reason: row.reason,
  methods: split(row.methods),
  path: row.path === undefined ? undefined : new RegExp(`^(?:${row.path})$`),
  words: split(row.words),
  arguments: split(row.arguments),
}));

const UNKNOWN: CallClass = { name: 'administration', reason: 'What it changes is unknown.' };

export function classifyOperation(operation: Operation, document: JsonObject): CallClass {
  const { method } = operation;
  const path = operation.path.replace(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');
  const isReading = method === 'GET' || method === 'HEAD';
  // Words in the id of a read can merely tell it from another.
  const words = toWords(isReading ? path : `${path}/${operation.id}`);
  const names = listArgumentNames(operation, document);
  const found = ROWS.find((row) => {
    if (!row.methods.has(method) && !row.methods.has('*')) return false;
    const isForAll = row.path === undefined && row.words.size === 0 && row.arguments.size === 0;
    return (
      isForAll ||
      row.path?.test(path) === true ||
      words.some((word) => row.words.has(word)) ||
      names.some((name) => row.arguments.has(name))
    );
  });
  return found ?? UNKNOWN;
}

/** `/wc-admin/sendLink` has the words wc-admin, wc, admin, sendlink, send, link. */
function toWords(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '{}')
    .flatMap((segment) => [segment, ...segment.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/)])
    .map((word) => word.toLowerCase());
}

export function listArgumentNames(operation: Operation, document: JsonObject): readonly string[] {
  const parameters = operation.parameterObjects.flatMap(({ in: place, name }) =>
    place === 'query' && typeof name === 'string' ? [name] : [],
  );
  const body = contentSchemaOf(operation.requestBody);
  const schema = body === undefined ? {} : flattenSchema(body, document).schema;
  return [...parameters, ...jsonMembers(schema['properties']).map(([name]) => name)];
}

interface DeclaredMember {
  readonly class: string;
  readonly reason: string;
  readonly names?: string;
  readonly values?: string;
  readonly text?: string;
  readonly isAddress?: boolean;
}

/** Content by member name, and by value if `values` or a pattern is given. */
interface MemberRow extends CallClass {
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly text: RegExp | undefined;
  readonly isAddress: boolean;
}

const MEMBERS: readonly MemberRow[] = TABLE.members.map((row: DeclaredMember) => ({
  name: toClassName(row.class),
  reason: row.reason,
  names: split(row.names),
  values: split(row.values),
  text: row.text === undefined ? undefined : new RegExp(row.text, 'gim'),
  isAddress: row.isAddress === true,
}));

type MemberClass = CallClass & { readonly member: string };

/** Finds content that makes a call riskier than its operation. @param hosts the site's own */
export function classifyContent(sent: Json, hosts: readonly string[]): MemberClass | undefined {
  const all = listContentClasses(sent, hosts);
  return all.find((each) => each.name === 'deletion') ?? all[0];
}

/** All that {@link classifyContent} finds. */
export function listContentClasses(sent: Json, hosts: readonly string[], name = ''): readonly MemberClass[] {
  if (Array.isArray(sent) || isJsonObject(sent)) {
    const members: readonly (readonly [string, Json])[] = Array.isArray(sent)
      ? sent.map((item: Json) => [name, item])
      : jsonMembers(sent);
    const found = members.flatMap(([member, value]) => listContentClasses(value, hosts, member));
    const own = isJsonObject(sent) || sent.length > 0 ? findMember(name, sent, hosts) : undefined;
    return own === undefined ? found : [own, ...found];
  }
  const own = findMember(name, sent, hosts);
  return own === undefined ? [] : [own];
}

function findMember(member: string, value: Json, hosts: readonly string[]): MemberClass | undefined {
  const isForeign = (host: string): boolean => !hosts.includes(host.toLowerCase());
  // As PHP reads `images[0][src]`.
  const name = (/([\w-]+)\]?(?:\[\d*\])*$/.exec(member)?.[1] ?? member).toLowerCase();
  const row = MEMBERS.find(({ isAddress, names, text, values }) => {
    if (text !== undefined) {
      if (typeof value !== 'string' || (names.size > 0 && !names.has(name))) return false;
      const matches = [...value.matchAll(text)];
      return matches.some(([, ...found]) => !isAddress || found.some((host) => host && isForeign(host)));
    }
    if (!names.has(name)) return false;
    if (isAddress) {
      // WordPress adds `http://` to an address without a scheme.
      const [, first, bare] = /[/\\]{2}([^/\\?#\s]+)|^\s*([\w-]+(?:\.[\w-]+)+)/.exec(String(value)) ?? [];
      const host = first ?? bare;
      return host !== undefined && isForeign(host);
    }
    const text_ = String(value).toLowerCase();
    return values.size > 0 ? values.has(text_) : !/^(?:false|0|null|no|)$/.test(text_);
  });
  return row && { name: row.name, reason: row.reason, member };
}

const SECRETS = split(TABLE.secrets);
const SECRET_END = /[_-](?:secrets?|password|passwd|api_?key)$|(?:api|access|auth|refresh)[_-]?token$/i;

/** E.g. `consumer_secret`. */
export function isSecretName(name: string): boolean {
  return SECRETS.has(name.toLowerCase()) || SECRET_END.test(name);
}

/** E.g. `deletePost`. */
export function isDeletionName(id: string): boolean {
  const words = toWords(id);
  return ROWS.some((row) => row.name === 'deletion' && words.some((word) => row.words.has(word)));
}

import { type Json, type JsonObject, jsonMembers } from '../../base/json.ts';
import TABLE from '../model/conventions/operation-classes.json' with { type: 'json' };
import type { Operation } from './operations.ts';
import { findUnknownHtml } from './post-html.ts';
import { contentSchemaOf, flattenSchema } from './schema-view.ts';

/** The effect of a call, e.g. reading, or changing the site's settings. */
export interface CallClass {
  readonly name: 'administration' | 'content' | 'deletion' | 'read';
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
  readonly path?: string;
  readonly isAddress?: boolean;
  readonly isLinked?: boolean;
  readonly isHtml?: boolean;
}

/** Content by member name and by the operation's path, and by value if `values`, a pattern or a kind of text is given. */
interface MemberRow extends CallClass, Pick<DeclaredMember, 'isAddress' | 'isHtml' | 'isLinked'> {
  readonly path: RegExp | undefined;
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly text: RegExp | undefined;
}

const MEMBERS: readonly MemberRow[] = TABLE.members.map((row: DeclaredMember) => ({
  ...row,
  name: toClassName(row.class),
  path: row.path === undefined ? undefined : new RegExp(`^(?:${row.path})$`),
  names: split(row.names),
  values: split(row.values),
  text: row.text === undefined ? undefined : new RegExp(row.text, 'gim'),
}));

/** A part of what a call sends, which makes the call riskier than its operation. */
export interface RiskyContent extends CallClass {
  readonly member: string;
  readonly piece: string;
}

/** @param hosts the site's own */
export function findRiskyContent(
  { path }: Pick<Operation, 'path'>,
  sent: Json,
  hosts: readonly string[],
): readonly RiskyContent[] {
  const isForeign = (host: string): boolean => !hosts.includes(host.toLowerCase());
  const rows = MEMBERS.filter((row) => row.path === undefined || row.path.test(path));
  const find = (value: Json, member: string): readonly RiskyContent[] => [
    ...rows.flatMap((row) =>
      findPieces(row, member, value, isForeign).map((piece) => ({
        name: row.name,
        reason: row.reason,
        member,
        piece,
      })),
    ),
    ...(Array.isArray(value)
      ? value.flatMap((item: Json) => find(item, member))
      : jsonMembers(value).flatMap(([name, each]) => find(each, name))),
  ];
  return find(sent, '');
}

function findPieces(
  { isAddress, isHtml, isLinked, names, text, values }: MemberRow,
  member: string,
  value: Json,
  isForeign: (host: string) => boolean,
): readonly string[] {
  // As PHP reads `images[0][src]`.
  const name = (/([\w-]+)\]?(?:\[\d*\])*$/.exec(member)?.[1] ?? member).toLowerCase();
  if (names.size > 0 && !names.has(name)) return [];
  if (text !== undefined || isHtml === true || isLinked === true) {
    if (typeof value !== 'string') return [];
    if (isLinked === true) return findLinkedPages(value, isForeign);
    if (text === undefined) return findUnknownHtml(value, isForeign);
    return Array.from(value.matchAll(text), ([piece]) => piece);
  }
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length > 0 && values.size === 0 && isAddress !== true ? [name] : [];
  if (isAddress === true) return typeof value === 'string' && !isOwnAddress(value, isForeign) ? [value] : [];
  const lower = String(value).toLowerCase();
  // WordPress reads `tr.ash` as `trash`: sanitize_key().
  const isRisky =
    values.size > 0 ? values.has(lower.replace(/[^a-z\d_-]/g, '')) : !/^(?:false|0|null|no|)$/.test(lower);
  return isRisky ? [lower] : [];
}

/** WordPress adds `http://` to an address without a scheme, and leaves out characters: `https:/{/` begins as `https://` does. */
function isOwnAddress(address: string, isForeign: (host: string) => boolean): boolean {
  const found = /^(?:https?:\/\/([\w.-]+(?::\d+)?)(?:[/?#].*)?|(?:\/[\w.~-]+)*)$/is.exec(address.trim());
  return found !== null && (found[1] === undefined || !isForeign(found[1]));
}

/**
 * Lists addresses of pages of other servers as `do_enclose()` of WordPress finds them: with a path or a query, and with entities decoded.
 */
function findLinkedPages(text: string, isForeign: (host: string) => boolean): readonly string[] {
  return Array.from(text.matchAll(/[/\\](?:[/\\]|&)[^\s()<>"']*/g), ([address]) => address).filter(
    (address) => {
      const [, host = '', rest = ''] = /^..([^/\\?#]*)([^#]*)/.exec(address) ?? [];
      return (host !== '' && isForeign(host) && rest.length > 1) || /&(?!amp;|#038;)/.test(address);
    },
  );
}

const SECRETS = split(TABLE.secrets);
const SECRET_END =
  /_(?:secrets?|passwords?|passwd|(?:api|private|secret)_?key)$|(?:api|access|auth|refresh)_?token$/;

/** E.g. `consumer_secret` or `clientSecret`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return SECRETS.has(words) || SECRET_END.test(words);
}

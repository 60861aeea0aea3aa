import { ON_NODE_ONLY } from '../builtin-modules.ts';
import { ConfigurationError } from '../errors.ts';
import type { CompilerSchema } from './compiler-schema.ts';
import type { TypeNode } from './shape.ts';

/** A function that returns the compiled type of a shape; `unknown` if the shape was not compiled. */
export type CompiledTypeLookup = (shape: TypeNode) => ParsedType;

/** Schemas per compiler call. The compiler's memory is freed between calls. */
const BATCH_SIZE = 250;

/**
 * Compiles the schemas of shapes with json-schema-to-typescript. The compiler is loaded on the first call, because a
 * gateway needs no types.
 */
export async function compileSchemas(schemas: Iterable<CompilerSchema>): Promise<CompiledTypeLookup> {
  const { compile } = await import('#schema-compiler');
  // `imports` of package.json leave it out of bundles for browsers and workers.
  if (typeof compile !== 'function') throw new ConfigurationError(ON_NODE_ONLY);
  const types = new Map<CompilerSchema, ParsedType>();
  const waiting = [...schemas];
  for (let start = 0; start < waiting.length; start += BATCH_SIZE) {
    const batch = waiting.slice(start, start + BATCH_SIZE);
    const properties = Object.fromEntries(batch.map((schema, number) => [`s${number}`, schema]));
    const root = { type: 'object' as const, properties, required: Object.keys(properties) };
    const text = await compile(root, 'Batch', COMPILER_OPTIONS);
    const nodes = parseInterface(text);
    batch.forEach((schema, number) => {
      types.set(schema, nodes.get(`s${number}`) ?? UNKNOWN);
    });
  }
  return ({ schema }) => types.get(schema) ?? UNKNOWN;
}

/** The compiler resolves no reference (its input contains none) and reads no file. */
const COMPILER_OPTIONS = {
  additionalProperties: false,
  bannerComment: '',
  cwd: '/',
  format: false,
  ignoreMinAndMaxItems: true,
  $refOptions: {
    resolve: { external: false, file: false, http: false },
    dereference: { excludedPathMatcher: () => true },
  },
} as const;

/** A parsed type. The unformatted output of json-schema-to-typescript contains only these constructs. */
export type ParsedType =
  | { readonly kind: 'atom'; readonly text: string }
  | { readonly kind: 'array'; readonly of: ParsedType }
  | { readonly kind: 'tuple'; readonly items: readonly ParsedType[]; readonly rest?: ParsedType }
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly ParsedType[] }
  | { readonly kind: 'object'; readonly members: readonly TypeMember[] };

export interface TypeMember {
  /** The token of the property's name, or `[k: string]`. */
  readonly key: string;
  readonly optional: boolean;
  readonly type: ParsedType;
}

const TOKEN_PATTERN = /"(?:[^"\\]|\\.)*"|\.\.\.|[{}()[\]|&?:,]|[^\s{}()[\]|&?:,"]+/g;

/** Parses the members of the only interface in a text, by name. */
function parseInterface(text: string): ReadonlyMap<string, ParsedType> {
  const tokens: readonly string[] = text.slice(text.indexOf('{')).match(TOKEN_PATTERN) ?? [];
  let at = 0;
  const take = (): string => tokens[at++] ?? '';
  const takeIf = (token: string): boolean => {
    const isNext = tokens[at] === token;
    at += isNext ? 1 : 0;
    return isNext;
  };
  /** Parses what is before a closing token, and takes that. */
  const parseUntil = <Item>(end: string, parse: () => Item): readonly Item[] => {
    const items: Item[] = [];
    while (at < tokens.length && !takeIf(end)) items.push(parse());
    return items;
  };

  const parseType = (): ParsedType => {
    const first = parsePostfix();
    const operator = tokens[at];
    if (operator !== '|' && operator !== '&') return first;
    const members = [first];
    while (takeIf(operator)) members.push(parsePostfix());
    return { kind: operator === '|' ? 'union' : 'intersection', members };
  };
  const parsePostfix = (): ParsedType => {
    let type = parsePrimary();
    // A bracket alone may begin an index signature on the next line.
    for (; tokens[at] === '[' && tokens[at + 1] === ']'; at += 2) type = { kind: 'array', of: type };
    return type;
  };
  const parsePrimary = (): ParsedType => {
    const token = take();
    if (token === '(') return parseUntil(')', parseType)[0] ?? UNKNOWN;
    if (token === '[') return parseTuple();
    return token === '{'
      ? { kind: 'object', members: parseUntil('}', parseMember) }
      : { kind: 'atom', text: token };
  };
  const parseTuple = (): ParsedType => {
    let rest: ParsedType | undefined;
    const items = parseUntil(']', () => {
      const isRest = takeIf('...');
      const type = parseType();
      takeIf(',');
      if (!isRest) return [type];
      rest = type;
      return [];
    }).flat();
    return { kind: 'tuple', items, ...(rest?.kind === 'array' ? { rest: rest.of } : {}) };
  };
  /** Parses a member that begins with `k0` or `[k: string]`. */
  const parseMember = (): TypeMember => {
    const token = take();
    const key = token === '[' ? `[${parseUntil(']', take).join('').replace(':', ': ')}]` : token;
    const optional = takeIf('?');
    take();
    return { key, optional, type: parseType() };
  };

  const root = parseType();
  return new Map(root.kind === 'object' ? root.members.map(({ key, type }) => [key, type]) : []);
}

const UNKNOWN: ParsedType = { kind: 'atom', text: 'unknown' };

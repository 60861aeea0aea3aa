import type { CompilerSchema, TypeShape } from './shape.ts';

/** A function that returns the compiled type of a shape; `unknown` if the shape was not compiled. */
export type CompiledTypeLookup = (shape: TypeShape) => TypeNode;

/** Schemas per compiler call. The compiler's memory is freed between calls. */
const BATCH_SIZE = 250;

/**
 * Compiles the schemas of shapes with json-schema-to-typescript. The compiler is loaded on the first call, because a
 * gateway needs no types.
 */
export async function compileSchemas(schemas: Iterable<CompilerSchema>): Promise<CompiledTypeLookup> {
  const { compile } = await import('json-schema-to-typescript');
  const types = new Map<CompilerSchema, TypeNode>();
  const waiting = [...schemas];
  for (let start = 0; start < waiting.length; start += BATCH_SIZE) {
    const batch = waiting.slice(start, start + BATCH_SIZE);
    const properties = Object.fromEntries(batch.map((schema, number) => [`s${number}`, schema]));
    const root = { type: 'object' as const, properties, required: Object.keys(properties) };
    const nodes = parseTypes(await compile(root, 'Batch', COMPILER_OPTIONS));
    batch.forEach((schema, number) => {
      types.set(schema, nodes.get(`s${number}`) ?? { kind: 'atom', text: 'unknown' });
    });
  }
  return ({ schema }) => types.get(schema) ?? { kind: 'atom', text: 'unknown' };
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
export type TypeNode =
  | { readonly kind: 'atom'; readonly text: string }
  | { readonly kind: 'array'; readonly of: TypeNode }
  | { readonly kind: 'tuple'; readonly items: readonly TypeNode[]; readonly rest?: TypeNode }
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly TypeNode[] }
  | { readonly kind: 'object'; readonly members: readonly TypeMember[] };

export interface TypeMember {
  /** The token of the property's name, or `[k: string]`. */
  readonly key: string;
  readonly optional: boolean;
  readonly type: TypeNode;
}

/** Parses the members of the only interface in a text, by name. */
function parseTypes(text: string): ReadonlyMap<string, TypeNode> {
  const reader = createTokenReader(text.slice(text.indexOf('{')));
  const root = parseType(reader);
  return new Map(root.kind === 'object' ? root.members.map(({ key, type }) => [key, type]) : []);
}

interface TokenReader {
  /** Returns the next token, or the token `ahead` positions after it; empty at the end. */
  peek(ahead?: number): string;
  take(): string;
  /** Takes the next token if it is `token`; returns whether it was. */
  takeIf(token: string): boolean;
}

const TOKEN_PATTERN = /"(?:[^"\\]|\\.)*"|\.\.\.|[{}()[\]|&?:,]|[^\s{}()[\]|&?:,"]+/g;

function createTokenReader(text: string): TokenReader {
  const tokens = text.match(TOKEN_PATTERN) ?? [];
  let at = 0;
  const peek = (ahead = 0): string => tokens[at + ahead] ?? '';
  return {
    peek,
    take: () => tokens[at++] ?? '',
    takeIf(token) {
      const isNext = peek() === token;
      at += isNext ? 1 : 0;
      return isNext;
    },
  };
}

function parseType(reader: TokenReader): TypeNode {
  const first = parsePostfix(reader);
  const operator = reader.peek();
  if (operator !== '|' && operator !== '&') return first;
  const members = [first];
  while (reader.takeIf(operator)) {
    members.push(parsePostfix(reader));
  }
  return { kind: operator === '|' ? 'union' : 'intersection', members };
}

function parsePostfix(reader: TokenReader): TypeNode {
  let type = parsePrimary(reader);
  // A bracket alone may begin an index signature on the next line.
  while (reader.peek() === '[' && reader.peek(1) === ']') {
    reader.take();
    reader.take();
    type = { kind: 'array', of: type };
  }
  return type;
}

function parsePrimary(reader: TokenReader): TypeNode {
  const token = reader.take();
  if (token === '(') {
    const inner = parseType(reader);
    reader.take();
    return inner;
  }
  if (token === '[') return parseTuple(reader);
  return token === '{' ? parseObject(reader) : { kind: 'atom', text: token };
}

function parseTuple(reader: TokenReader): TypeNode {
  const items: TypeNode[] = [];
  while (reader.peek() !== '' && !reader.takeIf(']')) {
    if (reader.takeIf('...')) {
      const rest = parseType(reader);
      reader.take();
      return { kind: 'tuple', items, ...(rest.kind === 'array' ? { rest: rest.of } : {}) };
    }
    items.push(parseType(reader));
    reader.takeIf(',');
  }
  return { kind: 'tuple', items };
}

function parseObject(reader: TokenReader): TypeNode {
  const members: TypeMember[] = [];
  while (reader.peek() !== '' && !reader.takeIf('}')) {
    const key = parseKey(reader);
    const optional = reader.takeIf('?');
    reader.take();
    members.push({ key, optional, type: parseType(reader) });
  }
  return { kind: 'object', members };
}

/** Parses `k0` or `[k: string]`. */
function parseKey(reader: TokenReader): string {
  if (!reader.takeIf('[')) return reader.take();
  while (reader.peek() !== '' && !reader.takeIf(']')) {
    reader.take();
  }
  return '[k: string]';
}

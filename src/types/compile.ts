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
  const { compile } = await import('json-schema-to-typescript');
  const types = new Map<CompilerSchema, ParsedType>();
  const waiting = [...schemas];
  for (let start = 0; start < waiting.length; start += BATCH_SIZE) {
    const batch = waiting.slice(start, start + BATCH_SIZE);
    const properties = Object.fromEntries(batch.map((schema, number) => [`s${number}`, schema]));
    const root = { type: 'object' as const, properties, required: Object.keys(properties) };
    const text = await compile(root, 'Batch', COMPILER_OPTIONS);
    const nodes = new TypeParser(text.slice(text.indexOf('{'))).parseMembers();
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

class TypeParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(TOKEN_PATTERN) ?? [];
  }

  /** Parses the members of the only interface in a text, by name. */
  parseMembers(): ReadonlyMap<string, ParsedType> {
    const root = this.#parseType();
    return new Map(root.kind === 'object' ? root.members.map(({ key, type }) => [key, type]) : []);
  }

  /** Returns the next token, or the token `ahead` positions after it; empty at the end. */
  #peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? '';
  }

  #take(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  /** Takes the next token if it is `token`; returns whether it was. */
  #takeIf(token: string): boolean {
    const isNext = this.#peek() === token;
    this.#at += isNext ? 1 : 0;
    return isNext;
  }

  /** Takes the closing token of a list if it is next. Returns whether the list ends. */
  #isEnd(token: string): boolean {
    return this.#peek() === '' || this.#takeIf(token);
  }

  #parseType(): ParsedType {
    const first = this.#parsePostfix();
    const operator = this.#peek();
    if (operator !== '|' && operator !== '&') return first;
    const members = [first];
    while (this.#takeIf(operator)) members.push(this.#parsePostfix());
    return { kind: operator === '|' ? 'union' : 'intersection', members };
  }

  #parsePostfix(): ParsedType {
    let type = this.#parsePrimary();
    // A bracket alone may begin an index signature on the next line.
    while (this.#peek() === '[' && this.#peek(1) === ']') {
      this.#at += 2;
      type = { kind: 'array', of: type };
    }
    return type;
  }

  #parsePrimary(): ParsedType {
    const token = this.#take();
    if (token === '(') {
      const inner = this.#parseType();
      this.#take();
      return inner;
    }
    if (token === '[') return this.#parseTuple();
    return token === '{' ? this.#parseObject() : { kind: 'atom', text: token };
  }

  #parseTuple(): ParsedType {
    const items: ParsedType[] = [];
    while (!this.#isEnd(']')) {
      if (this.#takeIf('...')) {
        const rest = this.#parseType();
        this.#take();
        return { kind: 'tuple', items, ...(rest.kind === 'array' ? { rest: rest.of } : {}) };
      }
      items.push(this.#parseType());
      this.#takeIf(',');
    }
    return { kind: 'tuple', items };
  }

  #parseObject(): ParsedType {
    const members: TypeMember[] = [];
    while (!this.#isEnd('}')) {
      const key = this.#parseKey();
      const optional = this.#takeIf('?');
      this.#take();
      members.push({ key, optional, type: this.#parseType() });
    }
    return { kind: 'object', members };
  }

  /** Parses `k0` or `[k: string]`. */
  #parseKey(): string {
    if (!this.#takeIf('[')) return this.#take();
    while (!this.#isEnd(']')) this.#take();
    return '[k: string]';
  }
}

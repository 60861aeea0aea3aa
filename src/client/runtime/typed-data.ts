/** A type that any object has. */
export type NoMembers = Record<never, never>;

/** A member of a type; `unknown` if it has none of that name. */
export type Member<Type, Name> = Name extends keyof Type ? Type[Name] : unknown;

/** A boolean of the query, as WordPress reads it. */
export type QueryBoolean = boolean | 0 | 1 | '0' | '1' | 'true' | 'false';
/** A number in the query or the path, or its text. */
export type QueryNumber = number | `${number}`;
/** Numbers in the query: one, a list, or a text that separates them by commas. */
export type QueryNumbers = QueryNumber | readonly QueryNumber[] | `${number},${string}`;
/** Several words in the query, separated by commas. TypeScript does not check which. */
export type QueryWords = `${string},${string}`;
type QueryTrue = true | 1 | '1' | 'true';

/**
 * An item that is sent back with changes: `{ ...post, title: 'New' }`. A member may also have the value that it was read with,
 * which the site accepts.
 */
export type ReadBack<Body, Item> = {
  [Name in keyof Body]: Body[Name] | ReadMember<Item, Name>;
} & { readonly _links: unknown };

/** The member of each type of a union that has it. */
type ReadMember<Item, Name> = Item extends unknown ? (Name extends keyof Item ? Item[Name] : never) : never;

/** Any text, beside literals that an editor offers. */
type Text = string & NoMembers;

/** The query parameters that change the type of the response, by kind of operation. */
interface Selections<C, F, E, D> {
  readonly plain: { readonly _fields?: F; readonly _embed?: E };
  readonly context: { readonly context?: C; readonly _fields?: F; readonly _embed?: E };
  readonly force: { readonly force?: D; readonly _fields?: F; readonly _embed?: E };
  /** Without `force=true` the site refuses the deletion (`rest_trash_not_supported`). */
  readonly forced: { readonly force: QueryTrue; readonly _fields?: F; readonly _embed?: E };
}

/** The query of an operation. */
export type QueryOf<Op, C, F, E, D> = Member<Op, 'query'> &
  Member<
    Selections<C, CheckedNames<F, Member<Op, 'fields'>>, CheckedNames<E, RelationsOf<Op>>, D>,
    Member<Op, 'selects'>
  >;

/** Values of `context`: `view`, `edit`, `embed`. */
export type ContextOf<Op> = Op extends { readonly contexts: infer Contexts } ? keyof Contexts : never;

/** Values of `_fields`: a list of names, or names separated by commas. */
export type FieldsOf<Op> = Op extends { readonly fields: infer Name }
  ? Name | Text | readonly (Name | Text)[]
  : string | readonly string[];

/** Values of `_embed`: relations as `_fields` takes names, or `true` for all. */
export type EmbedOf<Op> = Op extends { readonly embedded: infer Relations }
  ? QueryTrue | false | keyof Relations | Text | readonly (keyof Relations | Text)[]
  : QueryTrue | false | string | readonly string[];

type RelationsOf<Op> = Op extends { readonly embedded: infer Relations }
  ? keyof Relations | QueryTrue
  : unknown;

/** A value of `_fields` or `_embed` whose names all exist; else the names that do. */
type CheckedNames<Given, Name> = Given extends string | readonly unknown[]
  ? [NamesOf<Given>] extends [Name]
    ? Given
    : Given extends string
      ? Name
      : readonly Name[]
  : Given;

/** The names in a list, or in a text that separates them by commas; `never` if the compiler does not know them. */
type NamesOf<Given> = Given extends readonly (infer Name)[]
  ? string extends Name
    ? never
    : Name
  : Given extends string
    ? SplitNames<Given>
    : never;

/** Whether the compiler knows all names of a value. It knows none of `string`, and any number of those of `Name[]`. */
type IsExact<Given> = Given extends readonly (infer Name)[]
  ? number extends Given['length']
    ? false
    : IsExact<Name>
  : string extends Given
    ? false
    : true;

type SplitNames<Names extends string> = string extends Names
  ? never
  : Names extends `${infer First},${infer Rest}`
    ? Trimmed<First> | SplitNames<Rest>
    : Trimmed<Names>;

type Trimmed<Name extends string> = Name extends ` ${infer Rest}` ? Trimmed<Rest> : Name;

/** The data of a response, by the parameters of the request. */
export type DataOf<Op, C, F, E, D> = Op extends { readonly forced: infer Forced }
  ? [D] extends [never]
    ? ShapedOf<Op, C, F, E>
    : D extends QueryTrue
      ? NarrowedItem<Forced, F>
      : ShapedOf<Op, C, F, E>
  : ShapedOf<Op, C, F, E>;

type ShapedOf<Op, C, F, E> = Member<Shapes<ItemOf<Op, C, F, E>>, Member<Op, 'shape'>>;

interface Shapes<Item> {
  readonly one: Item;
  readonly list: Item[];
  readonly pages: Item[];
  readonly map: Record<string, Item>;
}

/** The item of a response, by the parameters of the request. */
export type ItemOf<Op, C, F, E> = NarrowedItem<
  EmbeddingItem<
    [C] extends [never] ? Member<Op, 'item'> : Member<Member<Op, 'contexts'>, C>,
    Member<Op, 'embedded'>,
    E
  >,
  F
>;

/** An item with `_embedded`, if the request has `_embed`. */
type EmbeddingItem<Item, Relations, E> = [E] extends [never]
  ? Item
  : unknown extends Relations
    ? Item
    : E extends false
      ? Item
      : Item & {
          readonly _embedded: E extends QueryTrue
            ? Relations
            : IsExact<E> extends true
              ? Pick<Relations, NamesOf<E> & keyof Relations>
              : Partial<Relations>;
        };

/** An item with the members that `_fields` names. */
type NarrowedItem<Item, F> = [F] extends [never]
  ? Item
  : F extends unknown
    ? IsExact<F> extends true
      ? PickedItem<Item, NamesOf<F>>
      : Partial<[NamesOf<F>] extends [never] ? Item : PickedItem<Item, NamesOf<F>>>
    : never;

/** With `_links` WordPress also sends `_embedded`. */
type PickedItem<Item, Name> = unknown extends Item
  ? unknown
  : {
      [Key in keyof Item as Key extends FirstName<Name>
        ? Key
        : Key extends '_embedded'
          ? '_links' extends Name
            ? Key
            : never
          : never]: Key extends Name ? Item[Key] : PickedMember<Item[Key], NextName<Name, Key>>;
    };

type FirstName<Name> = Name extends `${infer First}.${string}` ? First : Name;
type NextName<Name, Key> = Key extends string ? (Name extends `${Key}.${infer Next}` ? Next : never) : never;
type PickedMember<Value, Name> = [Name] extends [never]
  ? Value
  : Value extends readonly unknown[]
    ? Value
    : Value extends object
      ? PickedItem<Value, Name>
      : Value;

import type { SharedQuery } from './operations.ts';

/** `unknown` extends objects with optional members if `strictNullChecks` is off. */
export type IsUnknown<Type> = unknown extends Type ? ([keyof Type] extends [never] ? true : false) : false;

export type NoMembers = Record<never, never>;

export type Member<Type, Name> = Name extends keyof Type ? Type[Name] : unknown;

/** Boolean of the query, as WordPress reads it. */
export type QueryBoolean = boolean | 0 | 1 | '0' | '1' | 'true' | 'false';
/** Number in the query or the path, or its text. */
export type QueryNumber = number | `${number}`;
/** Numbers in the query: one, a list, or a text with commas. */
export type QueryNumbers = QueryNumber | readonly QueryNumber[] | `${number},${string}`;
/** Several words with commas, unchecked. */
export type QueryWords = `${string},${string}`;
export type QueryTrue = true | 1 | '1' | 'true';

/** Any text, beside literals that an editor offers. */
export type Text = string & NoMembers;

/** Value of an option or parameter; `never` without one. */
export type GivenOf<Options, Name> = Options extends unknown
  ? Name extends keyof Options
    ? Exclude<Options[Name], undefined | null>
    : never
  : never;

type QueryValue<Options, Name> = GivenOf<GivenOf<Options, 'query'>, Name>;

/** Query parameters that change the type of the response, by kind of operation. */
interface Selections<Op, Options> {
  readonly plain: SelectedNames<Op, Options>;
  readonly context: { readonly context?: ContextOf<Op> | undefined } & SelectedNames<Op, Options>;
  readonly force: { readonly force?: QueryBoolean | undefined } & SelectedNames<Op, Options>;
  /** Without `force=true` the site refuses the deletion (`rest_trash_not_supported`). */
  readonly forced: { readonly force: QueryTrue } & SelectedNames<Op, Options>;
}

interface SelectedNames<Op, Options> {
  readonly _fields?: CheckedNames<QueryValue<Options, '_fields'>, FieldNamesOf<Op>> | undefined;
  readonly _embed?: CheckedNames<QueryValue<Options, '_embed'>, RelationsOf<Op>> | undefined;
}

export type PlainQueryOf<Op> = Op extends { readonly query: infer Query } ? Query : SharedQuery;

export type QueryOf<Op, Options> = PlainQueryOf<Op> &
  Member<Selections<Op, Options>, Op extends { readonly selects: infer Selects } ? Selects : 'plain'>;

type ContextOf<Op> = Op extends { readonly contexts: infer Contexts } ? keyof Contexts : never;

type ContextIn<Op, Options> = Extract<QueryValue<Options, 'context'>, ContextOf<Op>>;

type FieldNamesOf<Op> =
  Member<Op, 'shape'> extends 'map'
    ? string
    : Op extends { readonly item: infer Item }
      ?
          | FieldName<Item | ItemsByContext<Op>>
          | (Op extends { readonly embedded: unknown } ? '_embedded' : never)
      : string;

type ItemsByContext<Op> = Op extends { readonly contexts: infer Contexts } ? Contexts[keyof Contexts] : never;

/** Name in `_fields`: `title`, or `title.rendered` of an object in it. */
type FieldName<Item> = NameWithin<Item, [0, 0]> | (string extends keyof Item ? string : never);

/** @param Levels one for each further object */
type NameWithin<Value, Levels> = unknown extends Value
  ? string
  : Value extends Text | readonly unknown[]
    ? never
    : Value extends object
      ? ValueOf<{
          [Key in keyof Value & string as string extends Key ? never : Key]-?:
            | Key
            | (Levels extends [0, ...infer Rest] ? `${Key}.${NameWithin<Value[Key], Rest>}` : never);
        }>
      : never;

type ValueOf<Type> = Type[keyof Type];

/** Values of `_embed`: relations, or `true` for all. */
type RelationsOf<Op> =
  | (Op extends { readonly embedded: infer Relations } ? keyof Relations : string)
  | QueryTrue
  | false;

/** Value whose names all exist; else the names that do. */
type CheckedNames<Given, Name> = Given extends string | readonly unknown[]
  ? [NamesOf<Given>] extends [Name]
    ? Given
    : Given extends string
      ? Name
      : readonly Name[]
  : Extract<Given, Name>;

/** Names in a list or a text with commas; `never` if unknown. */
type NamesOf<Given> = Given extends readonly (infer Name)[]
  ? string extends Name
    ? never
    : Name
  : Given extends string
    ? SplitNames<Given>
    : never;

/** Whether the compiler knows all names, unlike those of `string` or `Name[]`. */
type IsExact<Given> = Given extends readonly (infer Name)[]
  ? number extends Given['length']
    ? false
    : IsExact<Name>
  : string extends Given
    ? false
    : true;

/** Separated by commas and white space (`wp_parse_list()`). */
type SplitNames<Names extends string> = string extends Names
  ? never
  : Exclude<SplitAt<SplitAt<SplitAt<SplitAt<Names, ','>, ' '>, '\n'>, '\t'>, ''>;

/** A last branch without a type around it lets TypeScript follow a thousand parts. */
type SplitAt<
  Text,
  Separator extends string,
  Found = never,
> = Text extends `${infer First}${Separator}${infer Rest}`
  ? SplitAt<Rest, Separator, Found | First>
  : Found | Text;

/** Data of an operation's response to options. */
export type DataOf<Op, Options> = Op extends { readonly forced: infer Forced }
  ? QueryValue<Options, 'force'> extends infer Force
    ? [Force] extends [never]
      ? ShapedOf<Op, Options>
      : Force extends QueryTrue
        ? NarrowedItem<Forced, QueryValue<Options, '_fields'>>
        : ShapedOf<Op, Options>
    : never
  : ShapedOf<Op, Options>;

type ShapedOf<Op, Options> = Member<
  Shapes<ItemOf<Op, Options>>,
  Op extends { readonly shape: infer Shape } ? Shape : 'one'
>;

interface Shapes<Item> {
  readonly one: Item;
  readonly list: Item[];
  readonly pages: Item[];
  readonly map: Record<string, Item>;
  /** The site's index does not say which. */
  readonly either: Item | Item[];
}

/** Item of a list, or the whole response. */
export type ItemOf<Op, Options> = NarrowedItem<
  EmbeddingItem<
    [ContextIn<Op, Options>] extends [never]
      ? Member<Op, 'item'>
      : Member<Member<Op, 'contexts'>, ContextIn<Op, Options>>,
    Member<Op, 'embedded'>,
    QueryValue<Options, '_embed'>
  >,
  QueryValue<Options, '_fields'>
>;

type EmbeddingItem<Item, Relations, E> = [E] extends [never]
  ? Item
  : IsUnknown<Relations> extends true
    ? Item
    : E extends false
      ? Item
      : Item & {
          /** Absent if the item links none of the relations. */
          readonly _embedded?: Embedded<
            E extends QueryTrue
              ? Relations
              : IsExact<E> extends true
                ? Pick<Relations, NamesOf<E> & keyof Relations>
                : Partial<Relations>
          >;
        };

type Embedded<Relations> = {
  [Name in keyof Relations]: Relations[Name] extends infer Items
    ? Items extends readonly (infer Item)[]
      ? (Item | Unreadable<Item>)[]
      : Items
    : never;
};

/** WordPress's error instead of an item that the user cannot read, or instead of a list of items. */
type Unreadable<Item> = EmbeddedError & {
  [Name in Exclude<
    keyof (Item extends readonly (infer Each)[] ? Item & Each : Item),
    keyof EmbeddedError
  >]?: undefined;
};

export interface EmbeddedError {
  readonly code: string;
  readonly message: string;
  readonly data: { readonly status: number };
}

type NarrowedItem<Item, F> = [F] extends [never]
  ? Item
  : F extends unknown
    ? IsExact<F> extends true
      ? PickedItem<Item, NamesOf<F>>
      : Partial<[NamesOf<F>] extends [never] ? Item : PickedItem<Item, NamesOf<F>>>
    : never;

/** With `_links` WordPress also sends `_embedded`. */
type PickedItem<Item, Name> =
  IsUnknown<Item> extends true
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
  : Value extends Text | readonly unknown[]
    ? Value
    : Value extends object
      ? PickedItem<Value, Name>
      : Value;

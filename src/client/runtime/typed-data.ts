/** A type that any object has. */
export type NoMembers = Record<never, never>;

/** A member of a type; `unknown` if it has none of that name. */
export type Member<Type, Name> = Name extends keyof Type ? Type[Name] : unknown;

/** A boolean of the query, as WordPress reads it. */
export type QueryBoolean = boolean | 0 | 1 | '0' | '1' | 'true' | 'false';
type QueryTrue = true | 1 | '1' | 'true';

/** The query parameters that change the type of the response, by kind of operation. */
interface Selections<C, F, E, D> {
  readonly plain: { readonly _fields?: F; readonly _embed?: E };
  readonly context: { readonly context?: C; readonly _fields?: F; readonly _embed?: E };
  readonly force: { readonly force?: D; readonly _fields?: F; readonly _embed?: E };
}

/** The query of an operation. */
export type QueryOf<Op, C, F, E, D> = Member<Op, 'query'> &
  Member<Selections<C, CheckedFields<F, Member<Op, 'fields'>>, E, D>, Member<Op, 'selects'>>;

/** Values of `context`: `view`, `edit`, `embed`. */
export type ContextOf<Op> = Op extends { readonly contexts: infer Contexts } ? keyof Contexts : never;

/** Values of `_fields`: a list of names, or names separated by commas. */
export type FieldsOf<Op> = Op extends { readonly fields: infer Name }
  ? Name | readonly Name[] | (string & NoMembers)
  : string | readonly string[];

/** Values of `_embed`: a relation, a list of relations, or `true` for all. */
export type EmbedOf<Op> = Op extends { readonly embedded: infer Relations }
  ? QueryTrue | false | keyof Relations | readonly (keyof Relations)[]
  : QueryTrue | false | string | readonly string[];

/** A value of `_fields` whose names all exist; else the names that do. */
type CheckedFields<F, Name> = F extends string ? ([SplitNames<F>] extends [Name] ? F : Name) : F;

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
          readonly _embedded: E extends QueryBoolean
            ? Relations
            : Pick<Relations, RelationNames<E> & keyof Relations>;
        };

type RelationNames<E> = E extends readonly (infer Name)[] ? Name : E;

/** An item with the members that `_fields` names. */
type NarrowedItem<Item, F> = [F] extends [never]
  ? Item
  : F extends readonly (infer Name)[]
    ? number extends F['length']
      ? Partial<PickedItem<Item, Name>>
      : PickedItem<Item, Name>
    : F extends string
      ? string extends F
        ? Partial<Item>
        : PickedItem<Item, SplitNames<F>>
      : Item;

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

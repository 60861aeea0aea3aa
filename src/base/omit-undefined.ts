type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

type WithoutUndefined<T> = { [K in Exclude<keyof T, OptionalKeys<T>>]: T[K] } & {
  [K in OptionalKeys<T>]?: Exclude<T[K], undefined>;
};

/** Copies an object without members that are `undefined`, as `exactOptionalPropertyTypes` requires. */
export function omitUndefined<T extends object>(members: T): WithoutUndefined<T> {
  const result: { [name: string]: unknown } = {};
  for (const name of Object.keys(members)) {
    const value = (members as { readonly [name: string]: unknown })[name];
    if (value !== undefined) result[name] = value;
  }
  return result as WithoutUndefined<T>;
}

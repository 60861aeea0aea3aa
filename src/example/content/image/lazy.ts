/** Makes a value when it is first asked for, and keeps it. */
export function computeOnce<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

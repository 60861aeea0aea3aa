/**
 * Computes a value at its first use, for all test files of a process. It is frozen at all depths, so that no test sees what another
 * one does with it.
 */
export function shared<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: freeze(compute()) };
    return known.value;
  };
}

/** Freezes a value at all depths, and returns it. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

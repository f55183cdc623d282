/** Makes a value when it is first asked for. What needs the engine's data of languages takes megabytes, which a start does without. */
export const madeOnce = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};

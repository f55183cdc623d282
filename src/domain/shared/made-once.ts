/** Makes a value when it is first asked for. The engine's data of languages, for one, takes megabytes that a start does without. */
export const madeOnce = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** A parameter as sent: of `iids[]=4`, `name` is "iids", `suffix` is "[]" and `value` is "4". */
export interface Field {
  readonly name: string;
  readonly suffix: string;
  readonly value: string;
  /** What came in a body decides which changes matter, and never becomes part of an address unless a change moves it there. */
  readonly place: 'query' | 'body';
}

/** A request to the removed version, as far as its changes look at it. */
export interface OldRequest {
  /** In capitals. */
  readonly method: string;
  /** Of the path below the version, percent-encoded as sent; none is empty, `.` or `..`. */
  readonly segments: readonly string[];
  readonly fields: readonly Field[];
}

export const fieldOf = (fullName: string, value: string, place: Field['place']): Field => {
  const bracket = fullName.indexOf('[');
  const length = bracket < 0 ? fullName.length : bracket;
  return { name: fullName.slice(0, length), suffix: fullName.slice(length), value, place };
};

export const valuesOf = ({ fields }: OldRequest, name: string): readonly string[] =>
  fields.filter((field) => field.name === name).map(({ value }) => value);

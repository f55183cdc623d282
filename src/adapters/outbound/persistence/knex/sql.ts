/** A piece of SQL with what its `?` stand for. */
export interface Sql {
  readonly text: string;
  readonly bindings: readonly unknown[];
}

/** Joins pieces, so that bindings stay in the order of their places. */
export const sql = (parts: TemplateStringsArray, ...values: readonly (Sql | string | number)[]): Sql => {
  let text = parts[0] ?? '';
  const bindings: unknown[] = [];
  values.forEach((value, index) => {
    if (typeof value === 'object') {
      text += value.text;
      bindings.push(...value.bindings);
    } else text += String(value);
    text += parts[index + 1] ?? '';
  });
  return { text, bindings };
};

export const bind = (value: unknown): Sql => ({ text: '?', bindings: [value] });
export const NOTHING: Sql = { text: '', bindings: [] };

export const joinSql = (pieces: readonly Sql[], separator: string): Sql => ({
  text: pieces.map(({ text }) => text).join(separator),
  bindings: pieces.flatMap(({ bindings }) => bindings),
});

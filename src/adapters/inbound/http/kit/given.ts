/** The names of `Fields` whose values may be missing. */
type Missing<Fields> = { [Name in keyof Fields]: undefined extends Fields[Name] ? Name : never }[keyof Fields];

/** `Fields` where what may be undefined may be absent instead. */
export type Given<Fields> = Omit<Fields, Missing<Fields>> & {
  readonly [Name in Missing<Fields> & keyof Fields]?: Exclude<Fields[Name], undefined>;
};

/** The fields that have a value: what a client doesn't send is absent, and what it sends as null stays null. */
export const given = <Fields extends object>(fields: Fields): Given<Fields> => {
  const present: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) present[name] = fields[name];
  return present as Given<Fields>;
};

/** Clients send an empty text to take a value away. */
export const clearable = <Value>(value: Value): Exclude<Value, ''> | ('' extends Value ? null : never) =>
  (value === '' ? null : value) as Exclude<Value, ''>;

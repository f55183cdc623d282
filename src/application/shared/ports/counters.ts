interface CounterDeclaration {
  readonly help: string;
  /** Every value that a label may take: each combination is there from the start, with 0. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

/** Counters by name, without the `gatehouse_` prefix. */
export type CounterDeclarations = Readonly<Record<string, CounterDeclaration>>;

export type LabelsOf<Declared extends CounterDeclarations, Name extends keyof Declared> = {
  readonly [
    Label in keyof Declared[Name]['labels']
  ]: Declared[Name]['labels'][Label] extends readonly (infer Value extends string)[] ? Value : never;
};

/** Counts what is declared, for operators to read. What is not declared doesn't compile. */
export interface Counters<Declared extends CounterDeclarations> {
  count<Name extends keyof Declared & string>(name: Name, labels?: LabelsOf<Declared, Name>, by?: number): void;
}

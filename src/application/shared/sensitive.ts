import { inspect } from 'node:util';

const MASK = '[secret]';

/** A value that no log, error or dump shows: whoever needs it says so by `reveal`. */
export class Sensitive<Value = string> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  reveal(): Value {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

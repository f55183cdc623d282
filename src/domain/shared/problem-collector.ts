import { Invalid } from './domain-error.js';

/** Gathers every problem of an input before refusing it, so that a caller mends all of them at once. */
export class ProblemCollector {
  readonly #problems = new Map<string, string[]>();

  add(attribute: string, message: string): this {
    this.#problems.set(attribute, [...(this.#problems.get(attribute) ?? []), message]);
    return this;
  }

  check(holds: boolean, attribute: string, message: string): this {
    return holds ? this : this.add(attribute, message);
  }

  /** @throws Invalid when anything was gathered. */
  refuse(): void {
    if (this.#problems.size > 0) throw new Invalid(Object.fromEntries(this.#problems));
  }
}

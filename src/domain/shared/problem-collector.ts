import { Invalid } from './domain-error.js';

/** Nobody mends more of one attribute at once. */
const MAX_MESSAGES = 20;

/** Gathers every problem of an input before refusing it, so that a caller mends all of them at once. */
export class ProblemCollector {
  readonly #problems = new Map<string, string[]>();

  add(attribute: string, message: string): this {
    const messages = this.#problems.get(attribute);
    if (messages === undefined) this.#problems.set(attribute, [message]);
    else if (messages.length < MAX_MESSAGES) messages.push(message);
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

/** Why a CI file can't be read any further. What can be told together with other problems is told to `CiProblems`. */
export class CiProblem extends Error {}

const MOST_TOLD = 100;

/** What is wrong with a CI file, and what of it has no effect here, each told once. */
export class CiProblems {
  readonly #errors = new Set<string>();
  readonly #warnings = new Set<string>();

  error(text: string): void {
    if (this.#errors.size < MOST_TOLD) this.#errors.add(text);
  }

  warn(text: string): void {
    if (this.#warnings.size < MOST_TOLD) this.#warnings.add(text);
  }

  get errors(): readonly string[] {
    return [...this.#errors];
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }
}

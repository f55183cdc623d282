import type { DomainError } from '../../../domain/shared/domain-error.js';

/** Refusals of the transport itself, answered as `{"error": …}`. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** A refusal of the domain in its own shape, with headers by which programs know more of it. */
export class RefusedWithHeaders extends Error {
  constructor(
    readonly refusal: DomainError,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super(refusal.message);
  }
}

export interface ParameterProblem {
  readonly parameter: string;
  readonly problem:
    'is missing' | 'is invalid' | 'is empty' | 'does not have a valid value' | 'has a value not allowed';
  /** The list that the value is outside of. */
  readonly allowed?: readonly unknown[];
}

/** Every parameter fault of a request in one sentence: `{"error": "name is missing, page is invalid"}`. */
export class ParametersInvalid extends HttpError {
  constructor(readonly problems: readonly ParameterProblem[]) {
    const allowed = problems.find((problem) => problem.allowed !== undefined)?.allowed;
    super(
      400,
      problems.map(({ parameter, problem }) => `${parameter} ${problem}`).join(', '),
      allowed === undefined ? {} : { allowed },
    );
  }
}

/**
 * The closed vocabulary of refusals. No HTTP numbers here: `error-status.ts` of the HTTP adapter maps each kind,
 * and does not compile when one is missing.
 */
export type DomainErrorKind =
  | 'unauthenticated'
  | 'token_invalid'
  | 'token_scope_insufficient'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'changed'
  | 'invalid'
  | 'bad_request'
  | 'unprocessable'
  | 'too_large'
  | 'too_many_requests'
  | 'overloaded'
  | 'unavailable';

/** Messages by attribute, as in `{ name: ["can't be blank"] }`. */
export type AttributeProblems = Readonly<Record<string, readonly string[]>>;

export abstract class DomainError extends Error {
  abstract readonly kind: DomainErrorKind;
}

/** Nobody signed in, or a credential that matches nothing. */
export class Unauthenticated extends DomainError {
  readonly kind = 'unauthenticated';
  constructor() {
    super('Unauthorized');
  }
}

/** The credential is known but no longer good (RFC 6750 §3.1 `invalid_token`). */
export class TokenInvalid extends DomainError {
  readonly kind = 'token_invalid';
}

/** RFC 6750 §3.1 `insufficient_scope`; `scopes` are the ones that would have been enough. */
export class TokenScopeInsufficient extends DomainError {
  readonly kind = 'token_scope_insufficient';
  constructor(readonly scopes: readonly string[]) {
    super('The request requires higher privileges than provided by the access token.');
  }
}

/** The caller may see the thing but not do this to it; `reason` is shown to the caller. */
export class Forbidden extends DomainError {
  readonly kind = 'forbidden';
  constructor(readonly reason?: string) {
    super(reason ?? 'Forbidden');
  }
}

/** The caller could do this if the project were not archived. */
export class Archived extends Forbidden {
  constructor() {
    super('This project is archived and read-only');
  }
}

/** The caller could do this if the feature of the project that it belongs to were not switched off: nobody may. */
export class SwitchedOff extends Forbidden {}

/** Absent, or invisible to the caller: the two must not be told apart. `subject` as in "Project". */
export class NotFound extends DomainError {
  readonly kind = 'not_found';
  constructor(readonly subject?: string) {
    super(subject === undefined ? 'Not Found' : `${subject} Not Found`);
  }
}

/** The request clashes with what is stored; the message is shown as it is. */
export class Conflict extends DomainError {
  readonly kind = 'conflict';
}

/** The thing is no longer as the caller saw it, and they asked for nothing to be done then. */
export class Changed extends DomainError {
  readonly kind = 'changed';
  constructor() {
    super('Precondition Failed');
  }
}

/** The same for a clash that clients expect in a list. */
export class ConflictInList extends Conflict {}

/** The same for attributes whose values somebody else has; `problems` is shown. */
export class Taken extends Conflict {
  constructor(readonly problems: AttributeProblems) {
    super('Has already been taken');
  }
}

/** One or more attributes are not acceptable. */
export class Invalid extends DomainError {
  readonly kind = 'invalid';
  constructor(readonly problems: AttributeProblems) {
    super(
      Object.entries(problems)
        .flatMap(([attribute, messages]) => messages.map((message) => `${attribute} ${message}`))
        .join(', '),
    );
  }
}

/** A value that is none of those there are; the message is shown as it is. */
export class UnknownValue extends DomainError {
  readonly kind = 'invalid';
}

/** What is asked for can't be done as things stand; the message is shown as it is. */
export class NotPossible extends DomainError {
  readonly kind = 'invalid';
}

/** The same because of one attribute: the message says it whole, and pages say it beside the field. */
export class NotPossibleWith extends NotPossible {
  constructor(
    readonly attribute: string,
    message: string,
  ) {
    super(message);
  }
}

/** The same as what is not possible, where clients expect to be told so by another status. */
export class Unprocessable extends DomainError {
  readonly kind = 'unprocessable';
}

/** The same for a refusal that clients expect in a list. */
export class UnprocessableInList extends Unprocessable {}

/** The request as a whole makes no sense; the reason is shown to the caller. */
export class BadRequest extends DomainError {
  readonly kind = 'bad_request';
}

/** More was sent than is kept of one thing. */
export class TooLarge extends DomainError {
  readonly kind = 'too_large';
  constructor() {
    super('Request Entity Too Large');
  }
}

export class TooManyRequests extends DomainError {
  readonly kind = 'too_many_requests';
  constructor(
    readonly retryAfterSeconds: number,
    message = 'This endpoint has been requested too many times. Try again later.',
  ) {
    super(message);
  }
}

/** So much was asked for within the time that a limit counts. */
export class LimitReached extends TooManyRequests {
  constructor(
    retryAfterSeconds: number,
    /** What is counted, how often it may be, and when it is counted anew. */
    readonly quota: { readonly name: string; readonly limit: number; readonly endsAt: Date },
  ) {
    super(retryAfterSeconds);
  }
}

/** More is asked for at once than can be done; a retry may succeed. */
export class Overloaded extends DomainError {
  readonly kind = 'overloaded';
  constructor(readonly retryAfterSeconds: number) {
    super('The service is busy. Try again in a few seconds.');
  }
}

const OUT_OF_REACH = {
  database: 'The database is out of reach.',
  repositories: 'Repositories are out of reach.',
  artifacts: 'Files of jobs are out of reach.',
} as const;

/** A dependency is out of reach for now; a retry may succeed. */
export class Unavailable extends DomainError {
  readonly kind = 'unavailable';
  constructor(
    readonly dependency: keyof typeof OUT_OF_REACH,
    options?: ErrorOptions,
  ) {
    super(OUT_OF_REACH[dependency], options);
  }
}

import type { Request } from 'express';
import { missingParameter, refusal } from '../../../../domain/oauth/oauth-error.js';
import type { BoundedSchema } from '../validation/parameters.js';
import { isStorable } from '../validation/storable-text.js';
import { OAuthError } from './oauth-error.js';
import { MAX_OAUTH_TEXT } from './oauth-text.js';

const isSecret = ({ writeOnly }: BoundedSchema): boolean => writeOnly === true;

const bodyOf = (request: Request): Readonly<Record<string, unknown>> => {
  const body: unknown = request.body ?? {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError(refusal('invalid_request'));
  return body as Record<string, unknown>;
};

/** What a form or JSON gives of the parameters that an endpoint of `/oauth` declares; nothing else can be read. */
export class OAuthFields<Name extends string> {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #declared: Readonly<Record<string, BoundedSchema>>;

  /** @throws OAuthError `invalid_request` for a body that is no object, and for a secret in the address. */
  constructor(request: Request, declared: Readonly<Record<Name, BoundedSchema>>) {
    this.#given = bodyOf(request);
    this.#declared = declared;
    const misplaced = Object.keys(request.query).find((name) => {
      const declared = Object.hasOwn(this.#declared, name) ? this.#declared[name] : undefined;
      return declared !== undefined && isSecret(declared);
    });
    if (misplaced !== undefined) {
      throw new OAuthError(refusal('invalid_request', `The parameter ${misplaced} belongs into the body.`));
    }
  }

  /**
   * A parameter; one without a value counts as absent (RFC 6749 §3.1).
   * @throws OAuthError `invalid_request` when it is given more than once, too long, or not as text.
   */
  text(name: Name): string | undefined {
    const value = Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
    if (value === undefined || value === null || value === '') return undefined;
    const longest = (this.#declared[name]?.['maxLength'] as number | undefined) ?? MAX_OAUTH_TEXT;
    if (typeof value === 'string' && value.length > longest)
      throw new OAuthError(refusal('invalid_request', `Longer than ${longest} characters: ${name}.`));
    if (typeof value === 'string' && isStorable(value)) return value;
    throw new OAuthError(refusal('invalid_request', `Given more than once, or not as text: ${name}.`));
  }

  /** @throws OAuthError `invalid_request` when it is absent. */
  required(name: Name): string {
    const value = this.text(name);
    if (value === undefined) throw new OAuthError(missingParameter(name));
    return value;
  }
}

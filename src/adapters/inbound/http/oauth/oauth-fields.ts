import type { Request } from 'express';
import { missingParameter, refusal } from '../../../../domain/oauth/oauth-error.js';
import { isStorable } from '../validation/storable-text.js';
import { OAuthError } from './oauth-error.js';
import { MAX_OAUTH_TEXT } from './oauth-text.js';

/** What must never stand in an address: addresses are logged by everything that they pass. */
const NEVER_IN_QUERY = ['client_secret', 'password', 'code', 'code_verifier', 'refresh_token', 'token'];

/** The parameters of a form or of JSON at an endpoint of `/oauth`. */
export class OAuthFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  /** @throws OAuthError `invalid_request` for a body that is no object, and for a secret in the address. */
  constructor(request: Request) {
    const body: unknown = request.body ?? {};
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new OAuthError(refusal('invalid_request'));
    const misplaced = NEVER_IN_QUERY.find((name) => Object.hasOwn(request.query, name));
    if (misplaced !== undefined) {
      throw new OAuthError(refusal('invalid_request', `The parameter ${misplaced} belongs into the body.`));
    }
    this.#fields = body as Record<string, unknown>;
  }

  /**
   * A parameter; one without a value counts as absent (RFC 6749 §3.1).
   * @throws OAuthError `invalid_request` when it is given more than once, too long, or not as text.
   */
  text(name: string): string | undefined {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'string' && value.length > MAX_OAUTH_TEXT)
      throw new OAuthError(refusal('invalid_request', `Longer than ${MAX_OAUTH_TEXT} characters: ${name}.`));
    if (typeof value === 'string' && isStorable(value)) return value;
    throw new OAuthError(refusal('invalid_request', `Given more than once, or not as text: ${name}.`));
  }

  /** @throws OAuthError `invalid_request` when it is absent. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new OAuthError(missingParameter(name));
    return value;
  }
}

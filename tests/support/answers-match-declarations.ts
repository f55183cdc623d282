import type { OAuthEndpointDeclaration } from '../../src/adapters/inbound/http/oauth/oauth-endpoint.js';
import type { Route } from '../../src/adapters/inbound/http/route.js';
import { compileSchema } from '../../src/adapters/inbound/http/validation/schema-compiler.js';

/**
 * Holds every answer against the declaration of its route. A mismatch throws, so that the caller sees a 500 and the test fails
 * where it happens.
 */
export const answersMatchDeclarations = (
  route: Pick<Route | OAuthEndpointDeclaration, 'method' | 'path' | 'responses'>,
  status: number,
  body: unknown,
): void => {
  const name = `${route.method.toUpperCase()} ${route.path}`;
  const schema = route.responses[status];
  if (schema === undefined) throw new Error(`${name} answered ${status}, which it does not declare`);
  if (schema === null) {
    if (body !== undefined) throw new Error(`${name} answered ${status} with a body, and declares none`);
    return;
  }
  // As on the wire: what JSON leaves out is not there.
  const sent: unknown = JSON.parse(JSON.stringify(body));
  const validate = compileSchema(schema);
  if (!validate(sent)) {
    throw new Error(`${name} answered ${status} with ${JSON.stringify(sent)}: ${JSON.stringify(validate.errors)}`);
  }
};

import type { Application } from '../../domain/oauth/application.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { ApplicationReader } from './ports/application-repository.js';

/** How a client names itself, and proves it where it can. */
export interface ClientCredentials {
  readonly uid: string;
  readonly secret: string | undefined;
}

/** Who asks: RFC 6749 §2.3 for those that keep a secret, §3.2.1 for those that can't. */
export class AuthenticateClient {
  constructor(
    private readonly applications: ApplicationReader,
    private readonly digester: SecretDigester,
  ) {}

  /** The application, or undefined when it is unknown, its secret is wrong, or it should have sent one. */
  async execute({ uid, secret }: ClientCredentials): Promise<Application | undefined> {
    const found = await this.applications.findByUid(uid);
    if (found === undefined) return undefined;
    const { application, secretDigest } = found;
    if (secret === undefined) return application.confidential ? undefined : application;
    // Digests of random secrets: how far two agree tells nothing of the secret.
    return this.digester.digest(secret) === secretDigest ? application : undefined;
  }
}

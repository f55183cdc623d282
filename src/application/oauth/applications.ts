import { APPLICATION_SCOPES, MAX_APPLICATION_NAME, type Application } from '../../domain/oauth/application.js';
import { redirectUriProblem, splitRedirectUris } from '../../domain/oauth/redirect-uri.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ApplicationRepository } from './ports/application-repository.js';

export interface RegisterApplicationCommand {
  readonly name: string;
  /** One a line. */
  readonly redirectUris: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly confidential: boolean;
  readonly ownerId: UserId | null;
}

/** An application as its maker sees it once. */
export type RegisteredApplication = Application & { readonly secret: string };

const MAX_REDIRECT_URIS = 50;
const MAX_REDIRECT_URI = 2_000;

/** Registering and removing applications. */
export class Applications {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly applications: ApplicationRepository }>,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly requireHttps: boolean,
  ) {}

  /** @throws Invalid naming every problem. */
  async register({
    name,
    confidential,
    ownerId,
    ...command
  }: RegisterApplicationCommand): Promise<RegisteredApplication> {
    const redirectUris = splitRedirectUris(command.redirectUris);
    const scopes = command.scopes.split(' ').filter((scope) => scope !== '');
    this.#check(name, redirectUris, scopes, confidential);
    const secret = this.secrets.token();
    const [uid, secretDigest, createdAt] = [this.secrets.token(), this.digester.digest(secret), this.clock.now()];
    const application = await this.unitOfWork.execute(({ applications }) =>
      applications.add({ uid, name, redirectUris, scopes, confidential, ownerId, secretDigest, createdAt }),
    );
    return { ...application, secret };
  }

  /** @throws NotFound "Application". */
  async remove(id: number): Promise<void> {
    const removed = await this.unitOfWork.execute(({ applications }) => applications.remove(id));
    if (!removed) throw new NotFound('Application');
  }

  #check(name: string, redirectUris: readonly string[], scopes: readonly string[], confidential: boolean): void {
    const allowed: readonly string[] = APPLICATION_SCOPES;
    const problems = new ProblemCollector()
      .check(name.trim() !== '', 'name', "can't be blank")
      .check(name.length <= MAX_APPLICATION_NAME, 'name', `is too long (maximum is ${MAX_APPLICATION_NAME} characters)`)
      .check(redirectUris.length > 0, 'redirect_uri', "can't be blank")
      .check(
        redirectUris.length <= MAX_REDIRECT_URIS,
        'redirect_uri',
        `has too many lines (maximum is ${MAX_REDIRECT_URIS})`,
      )
      .check(scopes.length > 0, 'scopes', "can't be blank")
      .check(
        scopes.every((scope) => allowed.includes(scope)),
        'scopes',
        `can only contain ${allowed.join(', ')}`,
      );
    for (const uri of redirectUris) {
      const rules = { requireHttps: this.requireHttps, confidential };
      const problem =
        uri.length > MAX_REDIRECT_URI
          ? `is too long (maximum is ${MAX_REDIRECT_URI} characters)`
          : redirectUriProblem(uri, rules);
      if (problem !== undefined) problems.add('redirect_uri', problem);
    }
    problems.refuse();
  }
}

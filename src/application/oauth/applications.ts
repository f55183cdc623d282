import {
  APPLICATION_SCOPES,
  isHonestName,
  isSeenName,
  MAX_APPLICATION_NAME,
  type Application,
} from '../../domain/oauth/application.js';
import { redirectUriProblem, splitRedirectUris } from '../../domain/oauth/redirect-uri.js';
import { NotFound, Overloaded, Unprocessable } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Scope } from '../../domain/shared/scope.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ApplicationRepository } from './ports/application-repository.js';

/** What the author of an application says of it. */
export interface ApplicationDetails {
  readonly name: string;
  /** One a line. */
  readonly redirectUris: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly confidential: boolean;
}

/** An application as its maker sees it once. */
export type RegisteredApplication = Application & { readonly secret: string };

/** As many as their page shows. */
export const MOST_OF_A_PERSON = 100;
export const MAX_REDIRECT_URIS = 50;
export const MAX_REDIRECT_URI = 2_000;
/** Of those that came by themselves and that nobody has let in: beyond it none comes until some were removed. */
const MOST_UNUSED = 1_000;
const UNUSED_MS = 7 * 86_400_000;
/**
 * So long they wait at least, and all of their week only while there is room: whoever sends a thousand keeps others out for an hour. Most
 * people are asked as soon as their application has registered.
 */
const UNUSED_WITHOUT_ROOM_SECONDS = 3_600;

/** Registering, changing and removing applications. */
export class Applications {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly applications: ApplicationRepository }>,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly requireHttps: boolean,
  ) {}

  /**
   * @param ownerId null for an application of everybody's, which administrators look after.
   * @throws Invalid naming every problem; Unprocessable where a person has as many as they may.
   */
  async register(ownerId: UserId | null, details: ApplicationDetails): Promise<RegisteredApplication> {
    const { application, secret } = this.#make(details, { ownerId, selfRegistered: false });
    const added = await this.unitOfWork.execute(async ({ applications }) => {
      if (ownerId !== null && (await applications.holdAtLeast(ownerId, MOST_OF_A_PERSON)))
        throw new Unprocessable(`A person has at most ${MOST_OF_A_PERSON} applications`);
      return applications.add(application);
    });
    return { ...added, secret };
  }

  /**
   * One that came by itself, and is everybody's.
   * @throws Invalid naming every problem; Overloaded where too many came that nobody uses.
   */
  async registerItself(details: ApplicationDetails): Promise<RegisteredApplication> {
    const { application, secret } = this.#make(details, { ownerId: null, selfRegistered: true });
    const added = await this.unitOfWork.execute(async ({ applications }) => {
      await this.#makeRoom(applications);
      return applications.add(application);
    });
    return { ...added, secret };
  }

  /** Removes those that came by themselves a week ago or earlier, and that nobody has let in. */
  async removeUnused(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - UNUSED_MS);
    await this.unitOfWork.execute(({ applications }) => applications.removeUnused(before));
  }

  /** @throws NotFound "Application" when it is not there or somebody else's; Invalid naming every problem. */
  async edit(ownerId: UserId, id: number, details: ApplicationDetails): Promise<void> {
    const checked = this.#check(details);
    await this.#change(id, ownerId, ({ applications }) => applications.update(id, checked, this.clock.now()));
  }

  /**
   * A new secret; the old one is refused at once, and tokens live on.
   * @param ownerId undefined for an administrator.
   * @throws NotFound "Application".
   */
  async renewSecret(id: number, ownerId?: UserId): Promise<RegisteredApplication> {
    const secret = this.secrets.token();
    const secretDigest = this.digester.digest(secret);
    return this.#change(id, ownerId, async ({ applications }, application) => {
      await applications.update(id, { secretDigest }, this.clock.now());
      return { ...application, secret };
    });
  }

  /**
   * With its codes and tokens.
   * @param ownerId undefined for an administrator.
   * @throws NotFound "Application".
   */
  async remove(id: number, ownerId?: UserId): Promise<void> {
    await this.#change(id, ownerId, ({ applications }) => applications.remove(id));
  }

  /** @throws Overloaded where there is none. */
  async #makeRoom(applications: ApplicationRepository): Promise<void> {
    const isFull = async (): Promise<boolean> => (await applications.countUnused(MOST_UNUSED)) >= MOST_UNUSED;
    if (!(await isFull())) return;
    await applications.removeUnused(new Date(this.clock.now().getTime() - UNUSED_WITHOUT_ROOM_SECONDS * 1_000));
    if (await isFull()) throw new Overloaded(UNUSED_WITHOUT_ROOM_SECONDS);
  }

  #make(details: ApplicationDetails, by: Pick<Application, 'ownerId' | 'selfRegistered'>) {
    const secret = this.secrets.token();
    const made = { uid: this.secrets.token(), secretDigest: this.digester.digest(secret), createdAt: this.clock.now() };
    return { application: { ...this.#check(details), ...by, ...made }, secret };
  }

  #change<Result>(
    id: number,
    ownerId: UserId | undefined,
    change: (
      repositories: { readonly applications: ApplicationRepository },
      application: Application,
    ) => Promise<Result>,
  ): Promise<Result> {
    return this.unitOfWork.execute(async (repositories) => {
      const application = await repositories.applications.find(id);
      const foreign = ownerId !== undefined && application?.ownerId !== ownerId;
      if (application === undefined || foreign) throw new NotFound('Application');
      return change(repositories, application);
    });
  }

  #check({ name, confidential, ...details }: ApplicationDetails) {
    const redirectUris = splitRedirectUris(details.redirectUris);
    const scopes = details.scopes.split(' ').filter((scope) => scope !== '');
    const allowed: readonly string[] = APPLICATION_SCOPES;
    const problems = new ProblemCollector()
      .check(isSeenName(name), 'name', "can't be blank")
      .check(name.length <= MAX_APPLICATION_NAME, 'name', `is too long (maximum is ${MAX_APPLICATION_NAME} characters)`)
      .check(isHonestName(name), 'name', 'must not contain control characters or marks that turn the direction of text')
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
    // What is too many is not looked at.
    for (const uri of redirectUris.slice(0, MAX_REDIRECT_URIS)) {
      const rules = { requireHttps: this.requireHttps, confidential };
      const problem =
        uri.length > MAX_REDIRECT_URI
          ? `is too long (maximum is ${MAX_REDIRECT_URI} characters)`
          : redirectUriProblem(uri, rules);
      if (problem !== undefined) problems.add('redirect_uri', problem);
    }
    problems.refuse();
    return { name, redirectUris, scopes: scopes as Scope[], confidential };
  }
}

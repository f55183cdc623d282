import { ACCESS_LEVEL, GROUP_MEMBER_LEVELS } from '../../domain/shared/access-level.js';
import { botUsername, type BotPlace } from '../../domain/identity/bot.js';
import { checkName } from '../../domain/identity/user.js';
import type { AccessToken } from '../../domain/identity/personal-access-token.js';
import { BadRequest, Forbidden, NotFound, Unprocessable } from '../../domain/shared/domain-error.js';
import type { GroupId, ProjectId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import {
  checkToken,
  endToken,
  isBot,
  lastDayOfRotated,
  refuseApplication,
  refuseMoreThanOwn,
  refuseSudoOf,
  replaceToken,
  retireBot,
  type RotationNeeds,
  type TokenFields,
} from '../identity/operations/token-works.js';
import type { SensitiveActs } from '../identity/operations/sensitive-acts.js';
import type { UserActor } from '../shared/actor.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Secrecy } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { IdentityCounters } from '../identity/ports/identity-counters.js';
import type { BotRepository } from '../identity/ports/bot-repository.js';
import type { ForgetGroup, ForgetProject } from '../workspace/ports/forget-project.js';
import type {
  GroupRepository,
  MemberRepository,
  ProjectRepository,
} from '../workspace/ports/workspace-repositories.js';
import type { AccessTokenReader } from './ports/access-token-reader.js';

/** The project or group whose access tokens a caller may manage. */
export type AccessTokenHolder = Permitted<'manage_access_tokens'> | Permitted<'manage_group_access_tokens'>;
/** The one that a caller sees: an access token of it may rotate itself. */
export type SeenHolder = Permitted<'read_project'> | Permitted<'read_group'>;

export interface CreateAccessTokenCommand extends TokenFields {
  /** Of a Maintainer where absent. */
  readonly accessLevel?: number;
}

export interface RotateAccessTokenCommand {
  readonly tokenId: number;
  /** UTC day on which the new one stops working; a week from now where it is not said. */
  readonly expiresAt?: string;
  readonly clientAddress: string | null;
}

/** A token as its maker sees it once: the secret is not stored. */
export type CreatedAccessToken = AccessToken & { readonly secret: string };

type Needs = RotationNeeds & {
  readonly bots: BotRepository;
  readonly groups: GroupRepository;
  readonly projects: ProjectRepository;
  readonly groupMembers: MemberRepository<GroupId>;
  readonly projectMembers: MemberRepository<ProjectId>;
};

/** More than people look after. */
const MOST_ACTIVE = 100;
/** 128 bits. */
const RANDOM_DIGITS = 32;

/** Where the tokens of a project or group belong. */
export const placeOfTokens = (holder: AccessTokenHolder | SeenHolder): BotPlace =>
  'project' in holder ? { kind: 'project', id: holder.project.id } : { kind: 'group', id: holder.group.id };

/** Tokens of projects and groups: each is the personal access token of a bot, which is a member there. */
export class AccessTokens {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: AccessTokenReader,
    private readonly sensitiveActs: SensitiveActs,
    private readonly secrecy: Secrecy,
    private readonly clock: Clock,
    private readonly counters: IdentityCounters,
  ) {}

  /**
   * @throws Invalid naming every problem; Forbidden for a level or scopes above the caller's own, and for an application; Unprocessable for
   * one token too many; NotFound for a project or group that has just been removed.
   */
  async create(
    actor: UserActor,
    holder: AccessTokenHolder,
    { accessLevel = ACCESS_LEVEL.maintainer, ...fields }: CreateAccessTokenCommand,
  ): Promise<CreatedAccessToken> {
    const now = this.clock.now();
    check(fields, accessLevel, now);
    refuseApplication(actor, 'make access tokens');
    refuseMoreThanOwn(actor, fields.scopes);
    refuseAbove(holder, accessLevel);
    const { secrets, digester } = this.secrecy;
    const secret = secrets.token();
    const place = placeOfTokens(holder);
    const username = botUsername(place, digester.digest(secrets.token()).slice(0, RANDOM_DIGITS));
    const token = await this.unitOfWork.execute(async (repositories) => {
      const { bots, personalAccessTokens } = repositories;
      if (await bots.holdAtLeast(place, MOST_ACTIVE, now.toISOString().slice(0, 10)))
        throw new Unprocessable(`A ${place.kind} has at most ${MOST_ACTIVE} active access tokens`);
      await takePlace(repositories, place);
      const bot = await bots.add({ username, name: fields.name, place, accessLevel, createdAt: now });
      const member = { userId: bot.id, accessLevel, expiresAt: null, createdAt: now };
      if (place.kind === 'project') await repositories.projectMembers.add(place.id, member);
      else await repositories.groupMembers.add(place.id, member);
      return personalAccessTokens.add({ ...fields, userId: bot.id, digest: digester.digest(secret), createdAt: now });
    });
    this.counters.count('tokens_issued_total', { grant: 'personal_access_token' });
    return { ...token, accessLevel, secret };
  }

  /**
   * Makes a token of the same name, scopes and level in the place of one, which ends with it, as personal access tokens are rotated.
   * @throws NotFound; Forbidden for a token above the caller's own level or scopes, and for an application; BadRequest for one that has
   * ended; Invalid for the day.
   */
  async rotate(
    actor: UserActor,
    holder: AccessTokenHolder,
    command: RotateAccessTokenCommand,
  ): Promise<CreatedAccessToken> {
    const token = await this.reader.find(placeOfTokens(holder), command.tokenId);
    if (token === undefined) throw new NotFound();
    refuseAbove(holder, token.accessLevel);
    return this.#rotate(actor, token, command);
  }

  /** The same for the one that asks, whatever its level. @throws as `rotate`; NotFound for a credential of another kind or place. */
  async rotateSelf(
    actor: UserActor,
    holder: SeenHolder,
    command: Omit<RotateAccessTokenCommand, 'tokenId'>,
  ): Promise<CreatedAccessToken> {
    const token = await this.findSelf(actor, holder);
    return this.#rotate(actor, token, { ...command, tokenId: token.id });
  }

  /** The token that asks. @throws NotFound for a credential of another kind or place. */
  async findSelf({ credential, impersonator }: UserActor, holder: SeenHolder): Promise<AccessToken> {
    const byToken = credential.kind === 'personal_access_token' && impersonator === undefined;
    const token = byToken ? await this.reader.find(placeOfTokens(holder), credential.id) : undefined;
    if (token === undefined) throw new NotFound();
    return token;
  }

  async #rotate(
    actor: UserActor,
    { id, userId, accessLevel }: AccessToken,
    { expiresAt, clientAddress }: RotateAccessTokenCommand,
  ): Promise<CreatedAccessToken> {
    refuseApplication(actor, 'rotate access tokens');
    const at = this.clock.now();
    const lastsUntil = lastDayOfRotated(expiresAt, at);
    const secret = this.secrecy.secrets.token();
    const digest = this.secrecy.digester.digest(secret);
    const token = await this.unitOfWork.execute(async (repositories) => {
      const owner = await repositories.users.take(userId);
      const old = await repositories.personalAccessTokens.find(id);
      if (owner === undefined || old === undefined) throw new NotFound();
      refuseMoreThanOwn(actor, old.scopes);
      const act = { act: 'rotate_token', subject: old.name, at, clientAddress } as const;
      const record = () => this.sensitiveActs.recordOfBot(repositories, actor, owner, act);
      return replaceToken(repositories, { old, owner, digest, lastsUntil, record, at });
    });
    if (typeof token === 'string') throw new BadRequest('Token already revoked');
    this.counters.count('tokens_issued_total', { grant: 'personal_access_token' });
    return { ...token, accessLevel, secret };
  }

  /** Its bot ends with it. Doing so twice changes nothing. @throws NotFound. */
  async revoke(holder: AccessTokenHolder, tokenId: number): Promise<void> {
    const token = await this.reader.find(placeOfTokens(holder), tokenId);
    if (token === undefined) throw new NotFound();
    await this.unitOfWork.execute(async (repositories) => {
      const bot = await repositories.users.take(token.userId);
      if (bot !== undefined && isBot(bot)) await endToken(repositories, token, bot, this.clock.now());
    });
  }

  /** Ends bots whose token has expired, one by one: what they began elsewhere, such as schedules and triggers, goes on no longer. */
  async endExpired(stopping?: AbortSignal): Promise<void> {
    while (stopping?.aborted !== true && (await this.#endOneExpired()));
  }

  /** False where there is none. */
  #endOneExpired(): Promise<boolean> {
    const at = this.clock.now();
    return this.unitOfWork.execute(async (repositories) => {
      const id = await repositories.bots.findExpired(at.toISOString().slice(0, 10));
      if (id === undefined) return false;
      const bot = await repositories.users.take(id);
      // Somebody else may have ended it meanwhile.
      if (bot?.state === 'active' && isBot(bot)) await retireBot(repositories, bot, at);
      return true;
    });
  }
}

/** Bots are no members of a project that is gone. */
export const forgetBotsOfProject: ForgetProject<Pick<Needs, 'bots'>> = async ({ bots }, id) => {
  await bots.retireAll({ kind: 'project', id });
  return 'done';
};

/** Nor of a group. */
export const forgetBotsOfGroup: ForgetGroup<Pick<Needs, 'bots'>> = ({ bots }, id) =>
  bots.retireAll({ kind: 'group', id });

/** The projects of an account go with it. */
export const botsFollowAccounts: Subscriber<Pick<Needs, 'bots'>> = async (event, { bots }) => {
  if (event.kind === 'account_removed') await bots.retireAll({ kind: 'person', id: event.accountId });
};

/** @throws NotFound for one that has just been removed. */
const takePlace = async ({ groups, projects }: Needs, place: BotPlace): Promise<void> => {
  const [name, held] =
    place.kind === 'project'
      ? (['Project', await projects.take(place.id)] as const)
      : (['Group', await groups.take(place.id)] as const);
  if (held === undefined) throw new NotFound(name);
};

/** Nobody hands out more than they have. */
const refuseAbove = ({ level }: AccessTokenHolder, accessLevel: number): void => {
  if (accessLevel > level) throw new Forbidden('An access token has at most the level of whoever makes it');
};

const check = (fields: TokenFields, accessLevel: number, now: Date): void => {
  checkToken(fields, now);
  const problems = new ProblemCollector().check(
    GROUP_MEMBER_LEVELS.includes(accessLevel),
    'access_level',
    'is not included in the list',
  );
  checkName(problems, fields.name);
  problems.refuse();
  // Its bot is never an administrator.
  refuseSudoOf({ admin: false }, fields.scopes);
};

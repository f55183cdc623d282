import {
  checkDeployToken,
  type DeployToken,
  type DeployTokenFields,
  type DeployTokenPlace,
} from '../../domain/keys/deploy-token.js';
import { isExpired } from '../../domain/keys/ssh-key.js';
import { NotFound, Unprocessable } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Secrecy } from '../shared/ports/secrets.js';
import type { TokenUses } from '../shared/token-uses.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { DeployTokenReader, DeployTokenRepository } from './ports/deploy-token-ports.js';

/** A token as its maker sees it once: the secret is not stored. */
export type CreatedDeployToken = DeployToken & { readonly secret: string };

/** The project or group that a caller may give tokens to. */
export type TokenHolder = Permitted<'manage_deploy_tokens'> | Permitted<'manage_group_deploy_tokens'>;

interface Needs {
  readonly deployTokens: DeployTokenRepository;
}

/** More than people look after. */
const MOST_TOKENS = 1_000;

/** Where the tokens of a project or group belong. */
export const placeOf = (holder: TokenHolder): DeployTokenPlace =>
  'project' in holder ? { kind: 'project', id: holder.project.id } : { kind: 'group', id: holder.group.id };

/** Tokens with which machines read the code and packages of one project, or of all below a group, and send packages. */
export class DeployTokens {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: DeployTokenReader,
    private readonly secrecy: Secrecy,
    private readonly uses: TokenUses,
    private readonly clock: Clock,
  ) {}

  /**
   * @param past what becomes of an expiry that has passed: clients of the API have always been given such a token.
   * @throws Invalid; Unprocessable for one token too many.
   */
  async create(
    holder: TokenHolder,
    fields: DeployTokenFields,
    past: 'taken' | 'refused' = 'taken',
  ): Promise<CreatedDeployToken> {
    const checked = checkDeployToken(fields, past === 'refused' ? this.clock.now() : undefined);
    const secret = this.secrecy.secrets.token();
    const digest = this.secrecy.digester.digest(secret);
    const createdAt = this.clock.now();
    const place = placeOf(holder);
    const token = await this.unitOfWork.execute(async ({ deployTokens }) => {
      if (await deployTokens.holdAtLeast(place, MOST_TOKENS))
        throw new Unprocessable(`A ${place.kind} has at most ${MOST_TOKENS} deploy tokens`);
      return deployTokens.add({ ...checked, place, digest, createdAt });
    });
    return { ...token, secret };
  }

  /** @throws NotFound "Deploy Token". */
  async remove(holder: TokenHolder, id: number): Promise<void> {
    const place = placeOf(holder);
    const removed = await this.unitOfWork.execute(({ deployTokens }) => deployTokens.remove(place, id));
    if (!removed) throw new NotFound('Deploy Token');
  }

  /** The token of a name and a secret, if it is still good; notes the use. */
  recognize(username: string, secret: string): Promise<DeployToken | undefined> {
    return this.#recognize(secret, (token) => token.username === username);
  }

  /** The same without a name: the secret alone is as hard to guess. */
  recognizeSecret(secret: string): Promise<DeployToken | undefined> {
    return this.#recognize(secret, () => true);
  }

  async #recognize(secret: string, isMeant: (token: DeployToken) => boolean): Promise<DeployToken | undefined> {
    const token = await this.reader.findByDigest(this.secrecy.digester.digest(secret));
    const now = this.clock.now();
    if (token === undefined || !isMeant(token) || isExpired(token, now)) return undefined;
    this.uses.record(token.id, token.lastUsedAt, now);
    return token;
  }
}

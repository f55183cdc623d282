import type { CheckedDeployToken, DeployToken, DeployTokenPlace } from '../../../domain/keys/deploy-token.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

export type NewDeployToken = CheckedDeployToken & {
  readonly place: DeployTokenPlace;
  readonly digest: string;
  readonly createdAt: Date;
};

export interface DeployTokenRepository {
  add(token: NewDeployToken): Promise<DeployToken>;
  /** Whether a place has so many tokens, or more. Whoever else asks waits until the transaction ends. */
  holdAtLeast(place: DeployTokenPlace, number: number): Promise<boolean>;
  /** False where the place has no such token. */
  remove(place: DeployTokenPlace, id: number): Promise<boolean>;
  recordUses(uses: ReadonlyMap<number, Date>): Promise<void>;
}

export interface DeployTokenQuery {
  readonly place?: DeployTokenPlace;
  /** Only those that haven't expired at this instant, or that have. */
  readonly active?: boolean;
  readonly now: Date;
  readonly page: PageRequest;
}

export interface DeployTokenReader {
  list(query: DeployTokenQuery): Promise<Page<DeployToken>>;
  find(place: DeployTokenPlace, id: number): Promise<DeployToken | undefined>;
  findByDigest(digest: string): Promise<DeployToken | undefined>;
}

import type { NamespaceId, ProjectId } from '../shared/identifiers.js';
import { ProblemCollector } from '../shared/problem-collector.js';
import { checkTitle, NOT_A_DATE, readExpiry } from './new-key.js';

/** Registries of containers aren't here: their scopes are taken from clients that ask for them, and open nothing. */
export const DEPLOY_TOKEN_SCOPES = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const;
export type DeployTokenScope = (typeof DEPLOY_TOKEN_SCOPES)[number];

/** What a deploy token opens: one project, or every project below a group. */
export type DeployTokenPlace =
  { readonly kind: 'project'; readonly id: ProjectId } | { readonly kind: 'group'; readonly id: NamespaceId };

export interface DeployToken {
  readonly id: number;
  readonly place: DeployTokenPlace;
  readonly name: string;
  readonly username: string;
  readonly scopes: readonly DeployTokenScope[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

export const usernameOf = (id: number, chosen: string | null): string => chosen ?? `gitlab+deploy-token-${id}`;

export interface DeployTokenFields {
  readonly name: string;
  readonly username: string | null;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
}

export interface CheckedDeployToken {
  readonly name: string;
  readonly username: string | null;
  readonly scopes: readonly DeployTokenScope[];
  readonly expiresAt: Date | null;
}

const USERNAME = /^[A-Za-z0-9.+_-]{1,255}$/;

const isScope = (scope: string): scope is DeployTokenScope =>
  (DEPLOY_TOKEN_SCOPES as readonly string[]).includes(scope);

/**
 * @param now where an expiry that has passed is refused.
 * @throws Invalid at `name`, `username`, `scopes` and `expires_at`.
 */
export const checkDeployToken = (
  { name, username, scopes, expiresAt }: DeployTokenFields,
  now?: Date,
): CheckedDeployToken => {
  const problems = new ProblemCollector();
  checkTitle(problems, name, 'name');
  const chosen = username === '' ? null : username;
  problems
    .check(
      chosen === null || (USERNAME.test(chosen) && !/^gitlab\+deploy-token-\d+$/i.test(chosen)),
      'username',
      "can contain only letters, digits, '_', '-', '+', and '.', and can't be a name that another token is given",
    )
    .check(scopes.length > 0, 'scopes', "can't be blank")
    .check(scopes.every(isScope), 'scopes', `can only contain ${DEPLOY_TOKEN_SCOPES.join(', ')}`);
  const expiry = readExpiry(expiresAt);
  problems
    .check(expiry !== undefined, 'expires_at', NOT_A_DATE)
    .check(now === undefined || expiry == null || expiry > now, 'expires_at', 'must be in the future')
    .refuse();
  return { name, username: chosen, scopes: [...new Set(scopes.filter(isScope))], expiresAt: expiry ?? null };
};

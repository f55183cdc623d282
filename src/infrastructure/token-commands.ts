import { OPERATOR } from '../application/identity/requester.js';
import type { TokenCommands } from '../adapters/inbound/cli/create-program.js';
import { tokenState, type PersonalAccessToken } from '../domain/identity/personal-access-token.js';
import { isCalendarDay } from '../domain/shared/calendar-day.js';
import { NotFound } from '../domain/shared/domain-error.js';
import { isScope, PERSONAL_ACCESS_TOKEN_SCOPES } from '../domain/shared/scope.js';
import { findUser, type CommandParts, type WithService } from './command-service.js';
import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import { TOKENS } from './composition/tokens.js';
import { printTable, type Column } from './print-table.js';

const COLUMNS: readonly Column[] = [
  ['ID', 6],
  ['STATE', 7],
  ['EXPIRES', 10],
  ['LAST USED', 20],
  ['SCOPES', 20],
  ['NAME', 0],
];

const toCells = (token: PersonalAccessToken, now: Date): readonly string[] => [
  String(token.id),
  tokenState(token, now),
  token.expiresAt ?? 'never',
  token.lastUsedAt === null ? 'never' : token.lastUsedAt.toISOString().slice(0, 19) + 'Z',
  token.scopes.join(','),
  token.name,
];

/** `gatehouse token …` */
export const createTokenCommands = ({ print, tell }: CommandParts, withService: WithService): TokenCommands => ({
  createToken: ({ user, scopes, name, expiresAt }) =>
    withService(async (service) => {
      const names = scopes.split(',').map((scope) => scope.trim());
      const unknown = names.filter((scope) => !isScope(scope));
      if (unknown.length > 0)
        throw new Error(
          `There is no scope "${unknown.join('", "')}". Choose from ${PERSONAL_ACCESS_TOKEN_SCOPES.join(', ')}.`,
        );
      if (expiresAt !== undefined && !isCalendarDay(expiresAt))
        throw new Error(`"${expiresAt}" is not a date (expected YYYY-MM-DD).`);
      const owner = await findUser(service, user);
      const created = await service.container.get(IDENTITY_TOKENS.identity).personalAccessTokens.create(OPERATOR, {
        userId: owner.id,
        name,
        scopes: names.filter(isScope),
        expiresAt: expiresAt ?? null,
      });
      print(created.secret);
    }),

  listTokens: ({ user }) =>
    withService(async (service) => {
      const { id: userId } = await findUser(service, user);
      const { personalAccessTokens } = service.container.get(IDENTITY_TOKENS.identityReaders);
      const now = service.container.get(TOKENS.clock).now();
      const readPage = (page: Parameters<typeof personalAccessTokens.list>[0]['page']) =>
        personalAccessTokens.list({ userId, page });
      await printTable(print, COLUMNS, readPage, (token) => toCells(token, now));
    }),

  revokeToken: ({ id }) =>
    withService(async (service) => {
      if (!/^\d{1,15}$/.test(id))
        throw new Error(
          `"${id}" is not a token id (expected a number; "gatehouse token list --user NAME" shows them).`,
        );
      const { personalAccessTokens } = service.container.get(IDENTITY_TOKENS.identity);
      await personalAccessTokens.revoke(OPERATOR, Number(id)).catch((error: unknown) => {
        throw error instanceof NotFound ? new Error(`There is no token ${id}.`, { cause: error }) : error;
      });
      tell(`Token ${id} is revoked.`);
    }),
});

import { text } from 'node:stream/consumers';
import type { UserProfile } from '../application/identity/ports/identity-readers.js';
import { OPERATOR, operatorsPassword } from '../application/identity/requester.js';
import type { UserCommands } from '../adapters/inbound/cli/create-program.js';
import { findUser, type CommandParts, type WithService } from './command-service.js';
import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import { TOKENS } from './composition/tokens.js';
import { prepareFirstUser } from './first-start.js';
import { printTable, type Column } from './print-table.js';
import type { Service } from './service.js';

const COLUMNS: readonly Column[] = [
  ['ID', 6],
  ['USERNAME', 20],
  ['STATE', 7],
  ['ROLE', 13],
  ['LAST SIGN-IN', 20],
  ['E-MAIL', 0],
];

const toCells = ({ id, username, state, admin, lastSignInAt, email }: UserProfile): readonly string[] => [
  String(id),
  username,
  state,
  admin ? 'administrator' : 'user',
  lastSignInAt === null ? 'never' : lastSignInAt.toISOString().slice(0, 19) + 'Z',
  email ?? '-',
];

/** The password from the standard input, or a generated one that is to be printed. */
const choosePassword = async (
  { container }: Service,
  fromStdin: boolean,
): Promise<{ password: string; generated: boolean }> =>
  fromStdin
    ? { password: (await text(process.stdin)).replace(/\r?\n$/, ''), generated: false }
    : { password: container.get(TOKENS.secretSource).token(), generated: true };

const administration = ({ container }: Service) => container.get(IDENTITY_TOKENS.identity).administerUsers;

/** `gatehouse user …` that changes who a user is. The rules are those of the API: the use cases keep them. */
const createAccountCommands = ({ print, tell }: CommandParts, withService: WithService) =>
  ({
    createUser: ({ username, email, name, passwordStdin, admin }) =>
      withService(
        async (service) => {
          // Without an administrator nobody could make one but by another command.
          const rootPassword = admin === true ? undefined : await prepareFirstUser(service);
          if (rootPassword !== undefined)
            tell(`The first user of an installation is its administrator: root, with the password ${rootPassword}`);
          const { password, generated } = await choosePassword(service, passwordStdin === true);
          await service.container.get(IDENTITY_TOKENS.identity).createUser.execute(OPERATOR, {
            username,
            email,
            name: name ?? username,
            password: operatorsPassword(password),
            admin: admin === true,
            skipConfirmation: true,
            sendPasswordLink: false,
          });
          if (generated) print(password);
        },
        { begins: true },
      ),

    resetPassword: ({ username, passwordStdin }) =>
      withService(async (service) => {
        const user = await findUser(service, username);
        const { password, generated } = await choosePassword(service, passwordStdin === true);
        await administration(service).resetPassword(OPERATOR, user.id, operatorsPassword(password));
        if (generated) print(password);
      }),

    listUsers: ({ search }) =>
      withService(async ({ container }) => {
        const { users } = container.get(IDENTITY_TOKENS.identityReaders);
        const query = {
          orderBy: 'id',
          sort: 'asc',
          searchesAddresses: true,
          ...(search === undefined ? {} : { search }),
        } as const;
        await printTable(print, COLUMNS, (page) => users.list({ ...query, page }), toCells);
      }),
  }) satisfies Partial<UserCommands>;

/** `gatehouse user …` that decides what a user may do. */
export const createUserCommands = (parts: CommandParts, withService: WithService): UserCommands => {
  const { tell } = parts;

  /** Changes one user and tells the outcome on the standard error. */
  const change = (username: string, act: (service: Service, user: UserProfile) => Promise<string>): Promise<void> =>
    withService(async (service) => {
      const user = await findUser(service, username);
      tell(`${user.username} ${await act(service, user)}.`);
    });

  return {
    ...createAccountCommands(parts, withService),

    disableTwoFactor: ({ username }) =>
      change(username, async (service, { id }) => {
        await administration(service).disableTwoFactor(OPERATOR, id);
        return 'signs in without a second factor now';
      }),

    blockUser: ({ username }) =>
      change(username, async (service, { id }) =>
        (await administration(service).block(OPERATOR, id))
          ? 'is blocked: their sessions have ended and their tokens are refused'
          : 'was blocked already',
      ),

    unblockUser: ({ username }) =>
      change(username, async (service, { id }) =>
        (await administration(service).unblock(OPERATOR, id)) ? 'may sign in again' : 'was not blocked',
      ),

    promoteUser: ({ username }) =>
      change(username, async (service, { id, admin }) => {
        await administration(service).edit(OPERATOR, id, { admin: true });
        return admin ? 'was an administrator already' : 'is an administrator now';
      }),

    demoteUser: ({ username }) =>
      change(username, async (service, { id, admin }) => {
        await administration(service).edit(OPERATOR, id, { admin: false });
        return admin ? 'is no longer an administrator' : 'was not an administrator';
      }),
  };
};

import { OPERATOR } from '../application/identity/requester.js';
import { TOKENS } from './composition/tokens.js';
import type { Service } from './service.js';

const ENOUGH = { page: 1, perPage: 2 };

/** Whether anybody but root is there. */
export const hasUsersBeyondRoot = async ({ container }: Service): Promise<boolean> => {
  const { items } = await container
    .get(TOKENS.identityReaders)
    .users.list({ orderBy: 'id', sort: 'asc', page: ENOUGH });
  return items.some(({ username }) => username !== 'root');
};

const isEmpty = async ({ container }: Service): Promise<boolean> => {
  const { items } = await container
    .get(TOKENS.identityReaders)
    .users.list({ orderBy: 'id', sort: 'asc', page: ENOUGH });
  return items.length === 0;
};

/**
 * The first administrator of an empty installation; nodes that start together create him once.
 * @returns the password when it was made up here, to be printed this once.
 */
export const createRoot = async (service: Service): Promise<string | undefined> => {
  const { container, database } = service;
  return database.withLock('first-start', async () => {
    if (!(await isEmpty(service))) return undefined;
    const given = container.get(TOKENS.config).rootPassword?.reveal();
    const password = given ?? container.get(TOKENS.secretSource).token();
    await container.get(TOKENS.identity).createUser.execute(OPERATOR, {
      username: 'root',
      name: 'Administrator',
      email: 'root@localhost',
      password,
      admin: true,
      skipConfirmation: true,
      sendPasswordLink: false,
    });
    return given === undefined ? password : undefined;
  });
};

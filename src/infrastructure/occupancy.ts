import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import type { Service } from './service.js';

const firstUsernames = async ({ container }: Service): Promise<readonly string[]> => {
  const { users } = container.get(IDENTITY_TOKENS.identityReaders);
  const { items } = await users.list({ orderBy: 'id', sort: 'asc', page: { page: 1, perPage: 2 } });
  return items.map(({ username }) => username);
};

/** Whether nobody is there yet. */
export const isEmpty = async (service: Service): Promise<boolean> => (await firstUsernames(service)).length === 0;

/** Whether anybody but root is there. */
export const hasUsersBeyondRoot = async (service: Service): Promise<boolean> =>
  (await firstUsernames(service)).some((username) => username !== 'root');

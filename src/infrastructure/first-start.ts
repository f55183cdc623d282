import { OPERATOR, operatorsPassword } from '../application/identity/requester.js';
import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import { TOKENS } from './composition/tokens.js';
import { fillDemo, type Demo } from './demo/fill-demo.js';
import { hasUsersBeyondRoot, isEmpty } from './occupancy.js';
import type { Service } from './service.js';

/** What was made up at the first start, to be printed this once. */
export interface FirstStart {
  readonly rootPassword?: string;
  readonly demo?: Demo;
}

const createRoot = async ({ container }: Service): Promise<string | undefined> => {
  const given = container.get(TOKENS.config).rootPassword?.reveal();
  const password = given ?? container.get(TOKENS.secretSource).token();
  await container.get(IDENTITY_TOKENS.identity).createUser.execute(OPERATOR, {
    username: 'root',
    name: 'Administrator',
    email: 'root@localhost',
    password: operatorsPassword(password),
    admin: true,
    skipConfirmation: true,
    sendPasswordLink: false,
  });
  return given === undefined ? password : undefined;
};

/** Gives an empty installation its first administrator, and the demo where it is wanted; of nodes that start together one does. */
export const prepareFirstStart = (service: Service): Promise<FirstStart> =>
  service.database.withLock('first-start', async () => {
    const rootPassword = (await isEmpty(service)) ? await createRoot(service) : undefined;
    const wanted = service.container.get(TOKENS.config).demo && !(await hasUsersBeyondRoot(service));
    const demo = wanted ? await fillDemo(service) : undefined;
    return { ...(rootPassword === undefined ? {} : { rootPassword }), ...(demo === undefined ? {} : { demo }) };
  });

import { OPERATOR, operatorsPassword } from '../application/identity/requester.js';
import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import { TOKENS } from './composition/tokens.js';
import { fillDemo, inTheWayOfDemo, type Demo } from './demo/fill-demo.js';
import { isEmpty } from './occupancy.js';
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

/** Makes root where nobody is there yet, and returns the password that was made up. Hold the lock of the first start meanwhile. */
const createFirstRoot = async (service: Service): Promise<string | undefined> =>
  (await isEmpty(service)) ? createRoot(service) : undefined;

const atFirstStart = <Result>({ database }: Service, work: () => Promise<Result>): Promise<Result> =>
  database.withLock('first-start', work);

/** Gives an installation that is as "migrate" leaves it its first administrator, as its first start would, which makes none beside others. */
export const prepareFirstUser = (service: Service): Promise<string | undefined> =>
  atFirstStart(service, () => createFirstRoot(service));

/** Fills an empty installation with the demo, beside its first administrator. @throws Error with a sentence where something else is there. */
export const prepareDemo = (service: Service): Promise<FirstStart & { readonly demo: Demo }> =>
  atFirstStart(service, async () => {
    const rootPassword = await createFirstRoot(service);
    return { ...(rootPassword === undefined ? {} : { rootPassword }), demo: await fillDemo(service) };
  });

/** Gives an empty installation its first administrator, and the demo where it is wanted; of nodes that start together one does. */
export const prepareFirstStart = (service: Service): Promise<FirstStart> =>
  atFirstStart(service, async () => {
    const rootPassword = await createFirstRoot(service);
    const wanted = service.container.get(TOKENS.config).demo && (await inTheWayOfDemo(service)) === undefined;
    const demo = wanted ? await fillDemo(service) : undefined;
    return { ...(rootPassword === undefined ? {} : { rootPassword }), ...(demo === undefined ? {} : { demo }) };
  });

import { OPERATOR, operatorsPassword } from '../../application/identity/requester.js';
import type { UserActor } from '../../application/shared/actor.js';
import { IDENTITY_TOKENS } from '../composition/identity.tokens.js';
import { TOKENS } from '../composition/tokens.js';
import type { Service } from '../service.js';

const PEOPLE = {
  ada: { name: 'Ada Lovelace', does: 'owns the group engines' },
  grace: { name: 'Grace Hopper', does: 'develops engines/compiler' },
  alan: { name: 'Alan Turing', does: 'is a guest of engines/compiler' },
} as const;

type Username = keyof typeof PEOPLE;

export interface DemoPerson {
  readonly username: string;
  readonly password: string;
  readonly does: string;
}

export interface Member extends DemoPerson {
  readonly actor: UserActor;
  readonly name: string;
  readonly email: string;
}

export type Members = Readonly<Record<Username, Member>>;

const addPerson = async ({ container }: Service, username: Username): Promise<Member> => {
  const { name, does } = PEOPLE[username];
  const password = container.get(TOKENS.secretSource).token().slice(0, 16);
  const email = `${username}@example.com`;
  const { id } = await container.get(IDENTITY_TOKENS.identity).createUser.execute(OPERATOR, {
    username,
    name,
    email,
    password: operatorsPassword(password),
    admin: false,
    skipConfirmation: true,
    sendPasswordLink: false,
  });
  return {
    username,
    name,
    email,
    password,
    does,
    actor: { kind: 'user', id, username, admin: false, credential: { kind: 'session' } },
  };
};

export const addPeople = async (service: Service): Promise<Members> => {
  const [ada, grace, alan] = await Promise.all([
    addPerson(service, 'ada'),
    addPerson(service, 'grace'),
    addPerson(service, 'alan'),
  ]);
  return { ada, grace, alan };
};
